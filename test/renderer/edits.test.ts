import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'
import type { ChatEvent } from '../../src/shared/contract/sotto-contract.ts'

let begin: (events: AsyncIterable<ChatEvent>) => void = () => undefined

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    chat: {
      send: () =>
        new Promise((resolve) => {
          begin = resolve
        }),
    },
    conversations: { get: () => Promise.reject(new Error('gone')) },
    privacy: { current: () => Promise.resolve(null) },
  },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('document', { hidden: true })

const { beginEdit, setEdit, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { sendEdited } = await import('../../src/renderer/features/chat/branches.ts')

const conversation: Conversation = {
  id: 'c',
  title: '',
  private: false,
  model: 'open/a',
  createdAt: 0,
  updatedAt: 0,
}
const question: Message = {
  id: 'q',
  conversationId: 'c',
  role: 'user',
  text: 'why?',
  parentId: null,
  state: 'complete',
  createdAt: 0,
}

async function* started(): AsyncGenerator<ChatEvent> {
  yield await Promise.resolve({
    type: 'started',
    conversation,
    userMessage: { ...question, id: 'p' },
    answer: { ...question, id: 'a', role: 'assistant', parentId: 'p' },
  } as const)
}

beforeEach(() =>
  useChat.setState(
    {
      ...useChat.getInitialState(),
      conversations: [conversation],
      threads: { c: { messages: [question], failure: undefined } },
    },
    true,
  ),
)

test.each([
  ['does not change', 'how?', undefined],
  ['goes on', 'how? And when?', 'how? And when?'],
])(
  'an edited question that is being sent is closed only if its text does not change: it %s',
  async (_, written, left) => {
    setEdit('q', 'how?')
    const sending = sendEdited(question, 'how?')
    await new Promise(setImmediate)
    setEdit('q', written)
    begin(started())
    await sending
    expect(useChat.getState().edits['q']).toBe(left)
  },
)

test('an edit in progress keeps its text when editing is started again', () => {
  beginEdit(question)
  expect(useChat.getState().edits['q']).toBe('why?')
  setEdit('q', 'how?')
  beginEdit(question)
  expect(useChat.getState().edits['q']).toBe('how?')
})
