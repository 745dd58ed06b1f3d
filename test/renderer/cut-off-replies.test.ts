import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'

/** Reports in the core's stream that these conversations changed. */
let report: (ids: string[]) => void = () => undefined
const get = vi.fn()

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    conversations: {
      list: () => Promise.resolve([conversation]),
      get,
      watch: (_: undefined, { signal }: { signal: AbortSignal }) => Promise.resolve(changes(signal)),
    },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('document', { hidden: true })

const { useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { followConversations } = await import('../../src/renderer/features/chat/follow-conversations.ts')
const { ShownAnswer } = await import('../../src/renderer/features/chat/shown-answer.ts')
const { asFailure } = await import('../../src/renderer/ui/failure.ts')

const conversation: Conversation = {
  id: 'c',
  title: '',
  private: true,
  model: 'private/z',
  createdAt: 0,
  updatedAt: 0,
  leafId: 'a',
}
const arriving: Message = {
  id: 'a',
  conversationId: 'c',
  role: 'assistant',
  text: '',
  state: 'streaming',
  createdAt: 0,
}

async function* changes(signal: AbortSignal): AsyncGenerator<string[]> {
  while (!signal.aborted)
    yield await new Promise<string[]>((resolve) => {
      report = resolve
      signal.addEventListener('abort', () => resolve([]), { once: true })
    })
}

let left = new AbortController()
const settled = () => new Promise(setImmediate)
/** Connects to the core's stream. The first event of a stream stands for any change. */
const connect = async () => {
  void followConversations(left.signal)
  await settled()
  report([])
  await settled()
}
const reply = () => useChat.getState().threads['c']?.messages?.[0]

function cutOff(): void {
  useChat.setState({ conversations: [conversation] })
  const shown = new ShownAnswer(arriving)
  shown.take({ type: 'delta', text: 'One' })
  shown.interrupt(asFailure(new TypeError('network error')))
  expect(reply()).toMatchObject({ text: 'One', state: 'interrupted' })
}

beforeEach(() => {
  get.mockReset()
  left = new AbortController()
  useChat.setState(useChat.getInitialState(), true)
})
afterEach(() => left.abort())

test('a reply that was cut off is as the core has it once the connection to the core returns', async () => {
  cutOff()
  get.mockResolvedValue({ conversation, messages: [{ ...arriving, text: 'One two', state: 'complete' }] })
  await connect()
  expect(get).toHaveBeenCalledExactlyOnceWith({ conversationId: 'c' })
  expect(reply()).toMatchObject({ text: 'One two', state: 'complete' })
  expect(useChat.getState().endings).toEqual({})
})

test('a reply that failed in the core has the core’s reason', async () => {
  cutOff()
  get.mockResolvedValue({
    conversation,
    messages: [{ ...arriving, state: 'failed', errorCode: 'service/busy' }],
  })
  await connect()
  expect(reply()).toMatchObject({ state: 'failed' })
  expect(useChat.getState().endings).toEqual({})
})

test('a reply that is cut off while the core is connected is as the core has it once the chat changes', async () => {
  await connect()
  cutOff()
  get.mockResolvedValue({ conversation, messages: [{ ...arriving, text: 'One two', state: 'complete' }] })
  report(['c'])
  await settled()
  expect(reply()).toMatchObject({ text: 'One two', state: 'complete' })
})

test('a chat whose replies all ended here isn’t loaded again', async () => {
  useChat.setState({ conversations: [conversation] })
  const shown = new ShownAnswer(arriving)
  shown.take({ type: 'ended', answer: { ...arriving, text: 'One two', state: 'complete' } })
  await connect()
  expect(get).not.toHaveBeenCalled()
})
