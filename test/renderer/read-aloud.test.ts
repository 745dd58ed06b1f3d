import { expect, test, vi } from 'vitest'
import { draw, elements } from './drawn-hook.ts'

let prepared = 0

vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    voice: {
      prices: () => new Promise(() => undefined),
      prepare: () => Promise.resolve({ readingId: String(++prepared), pieces: [1] }),
      speak: () => new Promise(() => undefined),
      stop: () => Promise.resolve(),
    },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({ wantProseParser: () => Promise.resolve() }))
vi.mock('../../src/renderer/ui/sound/piece-player.ts', () => ({
  PiecePlayer: class {
    resume = () => Promise.resolve()
    play = () => new Promise(() => undefined)
    stop = () => undefined
  },
}))
for (const part of ['button', 'check-field', 'failure-note', 'privacy-mark', 'select-field']) vi.doMock(`../../src/renderer/ui/${part}.tsx`, () => ({ Button: 'button', CheckField: 'input', FailureNote: 'p', PrivacyMark: 'i', SelectField: 'select' }))
vi.mock('../../src/renderer/ui/receipt-store.ts', () => ({ keepReceipts: () => undefined, openReceipt: () => undefined }))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { ReadAloud } = await import('../../src/renderer/features/chat/voice/read-aloud.tsx')

const settled = () => new Promise(setImmediate)

/** The buttons, in their order. */
function buttons(drawn: unknown): Readonly<Record<string, unknown>>[] {
  return [...elements(drawn)].filter((each) => typeof each['onClick'] === 'function')
}

function press(button: Readonly<Record<string, unknown>> | undefined): void {
  if (typeof button?.['onClick'] === 'function') Reflect.apply(button['onClick'], undefined, [])
}

test('what was stopped can be read again', async () => {
  const bar = draw(() => ReadAloud({ id: 'a', conversationId: 'c', text: 'Words.' }))
  await settled()
  // Read aloud, stop, read again.
  press(buttons(bar.shown())[1])
  await settled()
  press(buttons(bar.shown())[0])
  await settled()
  press(buttons(bar.shown())[0])
  await settled()
  expect(prepared).toBe(2)
  expect(buttons(bar.shown())[1]?.['disabled']).toBe(false)
})
