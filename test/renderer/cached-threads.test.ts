import { expect, test, vi } from 'vitest'
import { conversation, receipt } from '../e2e/mock-data.ts'

vi.mock('../../src/renderer/ui/api.ts', () => ({ api: {}, endInPassing: () => undefined }))
vi.mock('../../src/renderer/features/chat/prose-parser.ts', () => ({
  preloadMarkdown: () => Promise.resolve(),
}))
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('history', {
  replaceState: (_state: unknown, _title: string, address: string) => void (location.hash = address),
})
vi.stubGlobal('HashChangeEvent', Event)
vi.stubGlobal('dispatchEvent', () => true)

const { useChat } = await import('../../src/renderer/features/chat/chat-store.ts')
const { keepThread } = await import('../../src/renderer/features/chat/thread-cache.ts')
const { keepReceipts, clearReceipts, showReceipt, readReceipts } =
  await import('../../src/renderer/ui/receipt-store.ts')

const names = ['a', 'b', 'c', 'd']
const readCachedIds = () => ({
  threads: Object.keys(useChat.getState().threads),
  receipts: Object.keys(readReceipts().receipts),
})

/**
 * Views each conversation in turn as the chat view does: messages load after a conversation opens, and
 * receipts of visible messages after that.
 */
function lookAt(name: string, length = 10): void {
  keepThread(name)
  const { messages } = conversation(name, name, 0, [['Why?', 'x'.repeat(length)]])
  useChat.setState(({ threads }) => ({
    threads: {
      ...threads,
      [name]: {
        messages: messages.map((message) => ({ ...message, receiptId: `r-${name}` })),
        failure: undefined,
      },
    },
  }))
  keepReceipts([receipt(`r-${name}`, 0)])
}

function begin(): void {
  useChat.setState({ threads: {}, live: {}, sending: {} })
  showReceipt(undefined)
  clearReceipts(Object.keys(readReceipts().receipts))
  keepReceipts([receipt('of-another-room', 0)])
}

test('the last two closed conversations remain cached with their receipts, and so do receipts of other views', () => {
  begin()
  for (const name of names) lookAt(name)
  expect(readCachedIds()).toEqual({
    threads: ['b', 'c', 'd'],
    receipts: ['of-another-room', 'r-b', 'r-c', 'r-d'],
  })
})

test('long conversations are removed immediately, but never one that receives a reply, or a receipt that is open', () => {
  begin()
  lookAt('a', 100_001)
  lookAt('b')
  expect(readCachedIds()).toEqual({ threads: ['b'], receipts: ['of-another-room', 'r-b'] })
  useChat.setState({ sending: { b: true } })
  for (const name of ['c', 'd', 'e', 'f']) lookAt(name)
  expect(readCachedIds().threads).toEqual(['b', 'd', 'e', 'f'])
  showReceipt('r-d')
  lookAt('g')
  expect(readCachedIds()).toEqual({
    threads: ['b', 'e', 'f', 'g'],
    receipts: ['of-another-room', 'r-b', 'r-d', 'r-e', 'r-f', 'r-g'],
  })
})
