// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { drawInPage, settled } from './in-page.ts'

const { asked, sent } = vi.hoisted(() => ({
  asked: vi.fn<() => void>(),
  sent: vi.fn<(chatModel: string | undefined) => void>(),
}))

vi.mock('../../src/renderer/ui/api.ts', () => {
  const waits = () => new Promise(() => undefined)
  return {
    api: {
      voice: {
        prices: waits,
        transcribe: ({ chatModel }: { chatModel?: string }) => {
          sent(chatModel)
          return waits()
        },
      },
      consents: {
        preview: () => {
          asked()
          return waits()
        },
      },
    },
  }
})
// The browser supplies the microphone and its recorder.
vi.mock('../../src/renderer/ui/sound/recorder.ts', () => ({
  Recorder: {
    start: () =>
      Promise.resolve({
        level: () => 0,
        elapsedMs: () => 1,
        finish: () => Promise.resolve({ content: new Blob(['said']), durationMs: 1 }),
      }),
  },
}))

const { useConsent } = await import('../../src/renderer/ui/consent-store.ts')
const { compareModels, NEW, pickModel, useChat } =
  await import('../../src/renderer/features/chat/chat-store.ts')
const { Composer } = await import('../../src/renderer/features/chat/composer.tsx')
const { useVoice } = await import('../../src/renderer/features/chat/voice/voice-store.ts')

async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}

/**
 * Whether the page announces a question, how often consent was requested, and the models that received the
 * dictation.
 */
async function dictated(): Promise<[boolean, number, unknown[]]> {
  const warned = screen.queryByText(/You’re asked before it’s sent/) !== null
  await press('Start recording')
  await press('Stop and transcribe')
  act(() => useConsent.getState().asking?.answer('allowed'))
  await settled()
  return [warned, asked.mock.calls.length, sent.mock.calls.flat()]
}

beforeEach(async () => {
  useChat.setState(useChat.getInitialState(), true)
  useVoice.setState(useVoice.getInitialState(), true)
  vi.clearAllMocks()
  pickModel(NEW, 'open/a')
  drawInPage(createElement(Composer, { conversation: undefined, messages: [], shown: [] }))
  await press('Dictate')
  // Wait for the dynamically imported code.
  await act(() => vi.dynamicImportSettled())
})

test('dictation for a model that isn’t private needs no consent', async () => {
  expect(await dictated()).toEqual([false, 0, ['open/a']])
})

test('dictation needs consent after a private model was selected', async () => {
  act(() => pickModel(NEW, 'private/z'))
  expect(await dictated()).toEqual([true, 1, ['private/z']])
})

test('dictation needs consent if one of several selected models is private', async () => {
  act(() => compareModels(NEW, ['open/b', 'private/z']))
  expect(await dictated()).toEqual([true, 1, ['private/z']])
})
