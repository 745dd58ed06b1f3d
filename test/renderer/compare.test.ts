import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation } from '../../src/shared/conversation.ts'

/** Questions that were sent, until the test answers. */
const sends: { readonly refuse: (reason: unknown) => void }[] = []

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    chat: { send: () => new Promise((_, refuse) => sends.push({ refuse })) },
    privacy: { current: () => Promise.resolve(null) },
    conversations: { get: () => Promise.reject(new Error('the door is gone')) },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { NEW, setDraft, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { sendToEach } = await import('../../src/renderer/features/chat/compare.ts')

const settled = () => new Promise(setImmediate)
const ask = () => sendToEach(undefined, 'why?', ['a', 'b'], [])

beforeEach(() => {
  sends.length = 0
  useChat.setState(useChat.getInitialState(), true)
  setDraft(NEW, 'why?')
})

test('a question to several models is sent once, however often that is pressed', async () => {
  const pressed = [ask(), ask()]
  await settled()
  const late = ask()
  await settled()
  expect(sends).toHaveLength(1)
  for (const { refuse } of sends) refuse(new Error('gone'))
  await Promise.all([...pressed, late])
})

test('a question to several models that could not be sent stays, and can be sent again', async () => {
  for (const times of [1, 2]) {
    const asked = ask()
    await settled()
    expect(sends).toHaveLength(times)
    sends.at(-1)?.refuse(new Error('gone'))
    await asked
    expect(useChat.getState().drafts[NEW]).toBe('why?')
  }
})

test('a question to open models below a private conversation that cannot be read stays, with why', async () => {
  const conversation: Conversation = {
    id: 'c',
    title: 'Rivers',
    private: true,
    model: 'private/a',
    createdAt: 0,
    updatedAt: 0,
  }
  useChat.setState({ conversations: [conversation], drafts: { c: 'why?' } })
  await sendToEach('c', 'why?', ['a', 'b'], [])
  expect(sends).toHaveLength(0)
  expect(useChat.getState().drafts['c']).toBe('why?')
  expect(useChat.getState().unsent['c']?.code).toBe('window/unreachable')
})
