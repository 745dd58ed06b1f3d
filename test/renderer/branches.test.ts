import { beforeEach, expect, test, vi } from 'vitest'
import type { Conversation, Message } from '../../src/shared/conversation.ts'

/** The models that were asked. */
const asked: string[] = []
const ask = ({ model }: { model: string }) => {
  asked.push(model)
  return Promise.reject(new Error('gone'))
}

vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: { chat: { send: ask, regenerate: ask }, privacy: { current: () => Promise.resolve(null) } },
  endInPassing: () => undefined,
}))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })

const { compareModels, useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { answerAgain, continueAnswer, sendEdited } =
  await import('../../src/renderer/features/chat/branches.ts')

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
const answer: Message = {
  ...question,
  id: 'a',
  role: 'assistant',
  text: 'So',
  parentId: 'q',
  state: 'cancelled',
  model: 'open/a',
}

beforeEach(() => {
  asked.length = 0
  useChat.setState(
    {
      ...useChat.getInitialState(),
      conversations: [conversation],
      threads: { c: { messages: [question, answer], failure: undefined } },
    },
    true,
  )
})

test.each([
  ['a question that was edited', () => sendEdited(question, 'how?')],
  ['a question that is asked again', () => answerAgain(answer)],
  ['the wish to go on', () => continueAnswer(answer)],
])('%s goes to nobody that the composer does not name', async (_, act) => {
  await act()
  expect(asked).toEqual(['open/a'])
  compareModels('c', ['private/y', 'private/z'])
  await act()
  expect(asked).toEqual(['open/a', 'private/y'])
  compareModels('c', ['open/b', 'private/z'])
  await act()
  expect(asked).toEqual(['open/a', 'private/y', 'private/z'])
})
