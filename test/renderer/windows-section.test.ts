// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { WindowView } from '../../src/shared/contract/desktop.ts'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const { core, list, signOut, desktop } = vi.hoisted(() => ({
  core: { windows: [] as WindowView[] },
  list: vi.fn<() => Promise<WindowView[]>>(),
  signOut: vi.fn<(input: { id: string }) => Promise<{ signedOut: boolean }>>(),
  desktop: { is: false },
}))

vi.mock('../../src/renderer/ui/api.ts', () => ({
  get inDesktop() {
    return desktop.is
  },
  api: { windows: { list, signOut } },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { WindowsSection } = await import('../../src/renderer/features/settings/windows-section.tsx')

/** Only the parts by which services differ. */
const status = (profileId: string): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: true },
    vault: { state: 'open' },
  }) as Status
const windowOf = (id: string, part: Partial<WindowView> = {}): WindowView => ({
  id,
  openedAt: Date.now() - 3_600_000,
  lastUsedAt: Date.now() - 5 * 60_000,
  browser: 'Firefox/150.0 (X11; Linux)',
  current: false,
  ...part,
})
const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent)
const press = async (name: string, within_?: HTMLElement) => {
  fireEvent.click((within_ ? within(within_) : screen).getByRole('button', { name }))
  await settled()
}

beforeEach(() => {
  setStatus(status('one'))
  desktop.is = false
  core.windows = [
    windowOf('this', { current: true, lastUsedAt: Date.now() }),
    windowOf('second'),
    windowOf('third'),
  ]
  list.mockReset().mockImplementation(() => Promise.resolve(core.windows))
  signOut.mockReset().mockImplementation(({ id }) => {
    core.windows = core.windows.filter((each) => each.id !== id)
    return Promise.resolve({ signedOut: true })
  })
})

test('lists each window with its browser and last use, and marks this one', async () => {
  drawInPage(createElement(WindowsSection))
  expect(screen.getByRole('status').textContent).toBe('Loading windows…')
  await settled()
  expect(rows()).toHaveLength(3)
  expect(rows()[0]).toMatch(
    /^Firefox on LinuxThis windowLast used less than a minute ago · Opened .+Sign out this window$/,
  )
  expect(rows()[1]).toMatch(/^Firefox on LinuxLast used 5 minutes ago · Opened .+Sign out$/)
})

test('signs out one window, and all others including one that was opened since', async () => {
  drawInPage(createElement(WindowsSection))
  await settled()
  await press('Sign out', screen.getAllByRole('listitem')[1])
  expect(signOut.mock.calls).toEqual([[{ id: 'second' }]])
  expect(rows()).toHaveLength(2)
  core.windows = [...core.windows, windowOf('new')]
  await press('Sign out all others')
  expect(core.windows.map(({ id }) => id)).toEqual(['this'])
  expect(screen.queryByRole('button', { name: 'Sign out all others' })).toBeNull()
})

test('shows why a window is still signed in, and keeps its row', async () => {
  drawInPage(createElement(WindowsSection))
  await settled()
  signOut.mockRejectedValue(new TypeError('fetch failed'))
  await press('Sign out', screen.getAllByRole('listitem')[1])
  expect(within(screen.getAllByRole('listitem')[1] as HTMLElement).getByRole('alert')).toBeDefined()
  expect(rows()).toHaveLength(3)
  await press('Sign out all others')
  expect(signOut.mock.calls.map(([{ id }]) => id)).toEqual(['second', 'second', 'third'])
  expect(screen.getAllByRole('alert')).toHaveLength(2)
})

test('a lost answer is no failure if the window is gone from the list', async () => {
  drawInPage(createElement(WindowsSection))
  await settled()
  signOut.mockImplementation(({ id }) => {
    core.windows = core.windows.filter((each) => each.id !== id)
    return Promise.reject(new TypeError('fetch failed'))
  })
  await press('Sign out', screen.getAllByRole('listitem')[1])
  expect(screen.queryByRole('alert')).toBeNull()
  expect(rows()).toHaveLength(2)
})

test('shows why the list failed, and loads it again on request and after a change of the service', async () => {
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  drawInPage(createElement(WindowsSection))
  await settled()
  expect(rows()).toEqual([])
  list.mockRejectedValueOnce(new TypeError('fetch failed'))
  await press('Try again')
  expect(screen.queryByRole('alert')).not.toBeNull()
  act(() => setStatus(status('two')))
  await settled()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(rows()).toHaveLength(3)
})

test('an earlier list that arrives late does not replace a later one', async () => {
  const late = Promise.withResolvers<WindowView[]>()
  list.mockReturnValueOnce(late.promise)
  drawInPage(createElement(WindowsSection))
  act(() => setStatus(status('two')))
  await settled()
  expect(rows()).toHaveLength(3)
  late.resolve([])
  await settled()
  expect(rows()).toHaveLength(3)
})

test('in the desktop app only browser windows are listed, or that there are none', async () => {
  desktop.is = true
  core.windows = [windowOf('tab')]
  drawInPage(createElement(WindowsSection))
  await settled()
  expect(rows()).toHaveLength(1)
  await press('Sign out all')
  expect(screen.getByText('No browser windows')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})
