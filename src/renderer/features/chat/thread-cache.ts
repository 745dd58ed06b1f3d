import { clearReceipts } from '../../ui/receipt-store.ts'
import { useChat, type Thread } from './chat-store.ts'

/** Conversations whose messages stay in memory after the person leaves them, so that going back needs no loading. */
const MAX_CONVERSATIONS = 2
/** Most characters of their messages in total. Longer threads are loaded again. */
const MAX_CACHED_LENGTH = 100_000

let recent: readonly string[] = []

/**
 * Records that a conversation is shown, and removes the messages and receipts of conversations that were left earlier.
 * Only a few stay in memory, plus those with an arriving reply or an open request.
 */
export function keepThread(conversationId: string): void {
  recent = [conversationId, ...recent.filter((id) => id !== conversationId)].slice(0, MAX_CONVERSATIONS + 1)
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
