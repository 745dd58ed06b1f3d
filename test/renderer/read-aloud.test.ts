// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawInPage, settled } from './in-page.ts'

let prepared = 0

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    voice: {
      prices: () => new Promise(() => undefined),
      prepare: () => Promise.resolve({ readingId: String(++prepared), pieces: [1] }),
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

const { ReadAloud } = await import('../../src/renderer/features/chat/voice/read-aloud.tsx')

async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}

test('what was stopped can be read again', async () => {
  drawInPage(createElement(ReadAloud, { id: 'a', conversationId: 'c', text: 'Words.' }))
  await settled()
  await press('Read aloud')
  await press('Stop')
  await press('Read again')
  expect(prepared).toBe(2)
  const read = screen.getByRole('button', { name: 'Read aloud' })
  expect([read.getAttribute('aria-disabled'), document.activeElement]).toEqual([null, read])
  await press('Read aloud')
  expect(screen.getByRole('status').textContent).toBe('Generating the first sentences…')
})
