import { clearReceipts } from '../../ui/receipt-store.ts'
import { useChat, type Thread } from './chat-store.ts'

/** Conversations that were left and whose messages stay at hand: who goes back and forth waits for nothing. */
const KEPT = 2
/** And the characters of their messages, together. What is longer is read again. */
const MAX_CACHED_LENGTH = 100_000

let recent: readonly string[] = []

/**
 * Notes that a conversation is shown, and lets go of the messages and receipts of those that were left before: however many are opened,
 * only a few are in memory. One that an answer is coming into, or is asked for, stays.
 */
export function keepThread(conversationId: string): void {
  recent = [conversationId, ...recent.filter((id) => id !== conversationId)].slice(0, KEPT + 1)
  const { threads, live, sending } = useChat.getState()
  let length = 0
  const atHand = recent.filter(
    (id) => id === conversationId || (length += lengthOf(threads[id])) <= MAX_CACHED_LENGTH,
  )
  const stays = (id: string) => atHand.includes(id) || live[id] !== undefined || sending[id] === true
  const gone = Object.entries(threads).filter(([id]) => !stays(id))
  if (gone.length === 0) return
  useChat.setState({ threads: Object.fromEntries(Object.entries(threads).filter(([id]) => stays(id))) })
  clearReceipts(
    gone.flatMap(([, { messages }]) => messages?.flatMap(({ receiptId }) => receiptId ?? []) ?? []),
  )
}

function lengthOf(thread: Thread | undefined): number {
  return (thread?.messages ?? []).reduce(
    (length, { text, reasoning = '' }) => length + text.length + reasoning.length,
    0,
  )
}
