// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawInPage, settled } from './in-page.ts'

const prepare = vi.hoisted(() => {
  let prepared = 0
  return vi.fn(() => Promise.resolve({ readingId: String(++prepared), pieces: [1] }))
})

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    voice: {
      prices: () => new Promise(() => undefined),
      prepare,
      speak: () => new Promise(() => undefined),
      stop: () => Promise.resolve(),
    },
  },
}))
vi.stubGlobal(
  'AudioContext',
  class {
    readonly state = 'running'
    readonly resume = () => Promise.resolve()
    readonly close = () => Promise.resolve()
  },
)

const { ServiceScope } = await import('../../src/renderer/data/service-scope.tsx')
const { ReadAloud } = await import('../../src/renderer/features/chat/voice/read-aloud.tsx')

const draw = () =>
  drawInPage(
    createElement(
      ServiceScope,
      null,
      createElement(ReadAloud, { id: 'a', conversationId: 'c', text: 'Words.' }),
    ),
  )

async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}

test('what was stopped can be read again', async () => {
  draw()
  await settled()
  await press('Read aloud')
  await press('Stop')
  await press('Read again')
  expect(prepare).toHaveBeenCalledTimes(2)
  const read = screen.getByRole('button', { name: 'Read aloud' })
  expect([read.getAttribute('aria-disabled'), document.activeElement]).toEqual([null, read])
  await press('Read aloud')
  expect(screen.getByRole('status').textContent).toBe('Generating the first sentences…')
})

test('a reading that couldn’t be prepared is prepared again when the person tries again', async () => {
  prepare.mockRejectedValueOnce(new TypeError('no connection'))
  draw()
  await settled()
  expect(screen.getByRole('alert').textContent).toContain('Try again')
  await press('Try again')
  expect(screen.queryByRole('alert')).toBe(null)
  expect(screen.getByRole('button', { name: 'Read aloud' }).getAttribute('aria-disabled')).toBe(null)
})
