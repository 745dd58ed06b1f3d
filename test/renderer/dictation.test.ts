// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Status } from '../../src/shared/status.ts'
import { drawInPage, settled } from './in-page.ts'

const { transcribe, finish, stop } = vi.hoisted(() => ({
  transcribe: vi.fn<() => Promise<{ readonly text: string }>>(),
  finish: vi.fn<() => Promise<{ readonly content: Blob; readonly durationMs: number }>>(),
  stop: vi.fn(() => Promise.resolve()),
}))
const waits = () => new Promise<never>(() => undefined)
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    conversations: { list: () => new Promise(() => undefined) },
    models: { list: () => new Promise(() => undefined) },
    voice: { prices: () => new Promise(() => undefined), transcribe, stop },
  },
}))
// The browser supplies the microphone and its recorder.
vi.mock('../../src/renderer/ui/sound/recorder.ts', () => ({
  Recorder: { start: () => Promise.resolve({ level: () => 0, elapsedMs: () => 1, finish }) },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { NEW, pickModel, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { Composer } = await import('../../src/renderer/features/chat/composer.tsx')
const { useVoice } = await import('../../src/renderer/features/chat/voice/voice-store.ts')

const recording = { content: new Blob(['said']), durationMs: 1 }
const panel = () => screen.queryByRole('region', { name: 'Dictate' })
const written = () => useChat.getState().drafts[NEW] ?? ''

/** The tests need only the parts by which services differ. */
const use = (profileId: string) =>
  setStatus({
    service: { profileId, baseUrl: 'https://a.example' },
    account: { connected: false },
    vault: { state: 'open' },
  } as Status)

async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}

async function pressEscape(): Promise<void> {
  fireEvent.keyDown(panel() ?? document.body, { key: 'Escape' })
  await settled()
}

beforeEach(async () => {
  use('one')
  useChat.setState(useChat.getInitialState(), true)
  useVoice.setState(useVoice.getInitialState(), true)
  vi.clearAllMocks()
  transcribe.mockImplementation(waits)
  finish.mockResolvedValue(recording)
  pickModel(NEW, 'open/a')
  drawInPage(createElement(Composer, { conversation: undefined, messages: [], shown: [] }))
  await press('Dictate')
  // Wait for the dynamically imported code.
  await act(() => vi.dynamicImportSettled())
  await press('Start recording')
})

test('Escape stops a transcription; the panel and the recording stay', async () => {
  let refuse: (reason: unknown) => void = () => undefined
  transcribe.mockImplementation(() => new Promise((_resolve, reject) => (refuse = reject)))
  await press('Stop and transcribe')
  await pressEscape()
  expect(stop).toHaveBeenCalledOnce()
  refuse(new Error('stopped'))
  await settled()
  expect(screen.getByRole('button', { name: 'Transcribe' })).toBeDefined()
  await pressEscape()
  expect([panel(), written()]).toEqual([null, ''])
})

test('a recording that is discarded while it ends isn’t sent', async () => {
  let end: () => void = () => undefined
  finish.mockImplementation(() => new Promise((resolve) => (end = () => resolve(recording))))
  await press('Stop and transcribe')
  await pressEscape()
  expect(panel()).toBeNull()
  end()
  await settled()
  expect(transcribe).not.toHaveBeenCalled()
})

test('speech that was sent to the previous service isn’t added to a message for the next one', async () => {
  let answer: (heard: { readonly text: string }) => void = () => undefined
  transcribe.mockImplementation(() => new Promise((resolve) => (answer = resolve)))
  await press('Stop and transcribe')
  act(() => use('two'))
  answer({ text: 'for the first service' })
  await settled()
  expect(written()).toBe('')
})
