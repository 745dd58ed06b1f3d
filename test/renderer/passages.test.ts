// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { createElement } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import type { FoundPassage, KnowledgeDocument } from '../../src/shared/knowledge.ts'
import { NEW, setDraft, useChat } from '../../src/renderer/features/chat/chat-store.ts'
import { ComposerPassages } from '../../src/renderer/features/chat/passages/composer-passages.tsx'
import { chosenPassages, usePassages } from '../../src/renderer/features/chat/passages/passage-store.ts'
import { sourcesOf } from '../../src/renderer/features/chat/passages/sources.ts'
import { send, sendOnceKnown } from '../../src/renderer/features/chat/send.ts'
import { useProjectDocuments } from '../../src/renderer/ui/project-documents.ts'
import { drawInPage, settled } from './in-page.ts'

const { find, chat } = vi.hoisted(() => ({
  find: vi.fn<(input: { query: string }) => Promise<FoundPassage[]>>(),
  chat: { send: vi.fn<(input: { passageIds?: string[] }) => Promise<never>>() },
}))
vi.mock('../../src/renderer/ui/api.ts', () => ({
  api: {
    chat,
    conversations: { list: () => Promise.resolve([]) },
    knowledge: { find, documents: () => Promise.resolve([{ id: 'd' } as KnowledgeDocument]) },
    privacy: { current: () => Promise.resolve(null) },
  },
}))

const passage = (id: string, more: Partial<FoundPassage> = {}): FoundPassage => ({
  id,
  documentId: 'd',
  document: 'lease.pdf',
  place: { page: 2, heading: 'Notice', line: 4 },
  text: `Text of ${id}`,
  tokens: 5,
  score: 1,
  ...more,
})
const chosenIds = () => chosenPassages(usePassages.getState(), NEW, 'p').map(({ id }) => id)
/** The search waits for a pause in writing. */
const WITHIN = { timeout: 10_000 }
const model = {
  id: 'private/x',
  name: 'X',
  private: true,
  inputPerMillion: '1000000000000',
  outputPerMillion: '1',
}

beforeEach(() => {
  vi.clearAllMocks()
  useChat.setState({ ...useChat.getInitialState(), beginning: { projectId: 'p' } }, true)
  usePassages.setState(usePassages.getInitialState(), true)
  useProjectDocuments.setState({ documents: {}, failure: undefined })
  find.mockResolvedValue([passage('d/0'), passage('d/1')])
  chat.send.mockRejectedValue(new Error('not sent in this test'))
})

async function show(text: string) {
  const props = { draft: NEW, projectId: 'p', model }
  const drawn = drawInPage(createElement(ComposerPassages, { ...props, text }))
  await act(settled)
  return {
    write: (next: string) => drawn.rerender(createElement(ComposerPassages, { ...props, text: next })),
  }
}

test('the line shows the number and cost of the passages, and only those of the list are sent', async () => {
  const { write } = await show('')
  expect(find).not.toHaveBeenCalled()
  write('How long is the notice?')
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce(), WITHIN)
  await act(settled)
  expect(find.mock.calls[0]?.[0]).toMatchObject({ projectId: 'p', query: 'How long is the notice?' })
  const line = screen.getByRole('button', { name: /passages/ })
  expect(line.textContent).toMatch(/^2 passages, about \d+ tokens, \S+, would be sent$/)
  fireEvent.click(line)
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'lease.pdf, “Notice”, page 2Text of d/0',
    'lease.pdf, “Notice”, page 2Text of d/1',
  ])
  fireEvent.click(screen.getByRole('checkbox', { name: /d\/0/ }))
  expect(line.textContent).toMatch(/^1 passage, /)
  expect(chosenIds()).toEqual(['d/1'])
  await send({ conversationId: undefined, model: model.id, text: 'x', passageIds: chosenIds() })
  expect(chat.send.mock.calls[0]?.[0]).toMatchObject({ passageIds: ['d/1'], begin: { projectId: 'p' } })
})

test('one switch leaves all passages out; an empty draft has none; a failure is shown', async () => {
  const { write } = await show('notice')
  await vi.waitFor(() => expect(find).toHaveBeenCalledOnce(), WITHIN)
  await act(settled)
  fireEvent.click(screen.getByRole('button', { name: 'Send none' }))
  expect([chosenIds(), screen.queryByRole('button', { name: /passages,/ })]).toEqual([[], null])
  fireEvent.click(screen.getByRole('button', { name: 'Send passages' }))
  await vi.waitFor(() => expect(chosenIds()).toHaveLength(2), WITHIN)
  write(' ')
  expect(chosenIds()).toEqual([])
  find.mockRejectedValueOnce(new Error('not reachable'))
  write('notice period')
  await vi.waitFor(() => expect(screen.getByRole('alert')).toBeTruthy(), WITHIN)
  expect(chosenIds()).toEqual([])
})

test('a draft that waits for the models is not sent with other passages than were shown', async () => {
  usePassages.setState({ found: { [NEW]: { passages: [passage('d/0')] } } })
  setDraft(NEW, 'x')
  const sending = sendOnceKnown(undefined, 'x', [], model.id, ['d/0'])
  usePassages.setState({ found: { [NEW]: { passages: [passage('d/1')] } } })
  useChat.setState({ models: [model] })
  await sending
  expect(chat.send).not.toHaveBeenCalled()
})

test('a reply cites the passages of its own question, or else of the last one before it', () => {
  const message = (id: string, more: Partial<Message>): Message => ({
    id,
    conversationId: 'c',
    role: 'user',
    text: '',
    state: 'complete',
    createdAt: 0,
    ...more,
  })
  const messages = [
    message('q1', { parentId: null, passages: [passage('d/0')] }),
    message('a1', { parentId: 'q1', role: 'assistant' }),
    message('q2', { parentId: 'a1' }),
    message('a2', { parentId: 'q2', role: 'assistant' }),
    message('q3', { parentId: null, passages: [passage('d/1')] }),
    message('a3', { parentId: 'q3', role: 'assistant' }),
  ]
  const idsOf = (id: string) => sourcesOf(messages, id).map((source) => source.id)
  expect([idsOf('a1'), idsOf('a2'), idsOf('a3')]).toEqual([['d/0'], ['d/0'], ['d/1']])
  expect(sourcesOf([message('q', {}), message('a', {})], 'a')).toEqual([])
})
