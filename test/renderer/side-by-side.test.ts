import { expect, test, vi } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import { draw } from './drawn-hook.ts'

/** The receipts that were fetched. */
const fetched: string[] = []

vi.mock('react', async () => ({ ...(await import('./drawn-hook.ts')).hooks, useSyncExternalStore: (_: unknown, read: () => unknown) => read() }))
vi.mock('radix-ui', () => ({ Tabs: { Root: 'div', List: 'div', Trigger: 'button', Content: 'div' } }))
vi.mock('zustand', async () => {
  const { createStore } = await import('zustand/vanilla')
  return {
    createStore,
    useStore: (store: { getState: () => unknown }) => store.getState(),
    create: () => (first: () => unknown) => {
      const store = createStore(first)
      return Object.assign((chosen: (state: unknown) => unknown = (state) => state) => chosen(store.getState()), store)
    },
  }
})
vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {}, endInPassing: () => undefined }))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({ wantProseParser: () => Promise.resolve() }))
vi.mock('../../src/renderer/features/chat/answer-body.tsx', () => ({ AnswerBody: () => null }))
vi.mock('../../src/renderer/ui/receipt-store.ts', () => ({
  fetchReceipt: (id: string) => fetched.push(id),
  keepReceipts: () => undefined, letGoOfReceipts: () => undefined, openReceipt: () => undefined,
  useReceipts: () => ({}),
}))
for (const part of ['button', 'failure-note', 'privacy-mark']) vi.doMock(`../../src/renderer/ui/${part}.tsx`, () => ({ Button: 'button', FailureNote: 'p', PrivacyMark: 'i', privacyWord: {} }))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('matchMedia', () => ({ matches: true }))

const { SideBySide } = await import('../../src/renderer/features/chat/side-by-side.tsx')

test('what all answers cost together is known also where one of them is in view', () => {
  const question: Message = { id: 'q', conversationId: 'c', role: 'user', text: 'why?', parentId: null, state: 'complete', createdAt: 0 }
  const answer = (id: string): Message => ({ ...question, id, role: 'assistant', parentId: 'q', receiptId: `receipt-${id}` })
  draw(() => SideBySide({ conversationId: 'c', questionId: 'q', messages: [question, answer('a'), answer('b')] }))
  expect(fetched).toEqual(['receipt-a', 'receipt-b'])
})
