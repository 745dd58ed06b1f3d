import { beforeEach, expect, test, vi } from 'vitest'
import type { DesktopSettings, DesktopView } from '../../src/shared/desktop-settings.ts'

/** Changes that wait for the system's answer. */
const waiting: { readonly take: () => void; readonly refuse: () => void }[] = []
const started = { settings: { closeToTray: true, startAtLogin: false } } as DesktopView

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    desktop: {
      view: () => Promise.resolve(started),
      change: (settings: unknown) =>
        new Promise((resolve, reject) =>
          waiting.push({ take: () => resolve({ settings }), refuse: () => reject(new Error('not taken')) }),
        ),
    },
  },
}))

const { changeDesktop, loadDesktop, useDesktop } =
  await import('../../src/renderer/features/settings/desktop-store.ts')
const shown = () => useDesktop.getState().view?.settings
const change = (part: Partial<DesktopSettings>) => changeDesktop(part)

beforeEach(async () => {
  waiting.length = 0
  await loadDesktop()
})

test('a change that fails late does not undo the one after it', async () => {
  const first = change({ closeToTray: false })
  const second = change({ startAtLogin: true })
  waiting[1]?.take()
  await second
  waiting[0]?.refuse()
  await first
  expect(shown()).toEqual({ closeToTray: false, startAtLogin: true })
  expect(useDesktop.getState().failure).toBeUndefined()
})

test('what was not taken is shown as the system has it, also after two', async () => {
  const first = change({ closeToTray: false })
  const second = change({ startAtLogin: true })
  waiting[0]?.refuse()
  waiting[1]?.refuse()
  await Promise.all([first, second])
  expect(shown()).toEqual(started.settings)
  expect(useDesktop.getState().failure).toBeDefined()
})
