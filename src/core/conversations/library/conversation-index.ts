import type { Message } from '../../../shared/conversation.ts'
import type { Store } from '../../storage/index.ts'
import { TextIndex } from './text-index.ts'

/** Milliseconds for which indexing blocks the process at a time. */
const SLICE_MS = 8

/** The index of one store's conversations, only in memory. */
export interface ConversationIndex {
  /** Starts reading on the first call, and applies changes. The returned index continues to be filled. */
  current(): { readonly index: TextIndex; readonly reading: { read: number; of: number } | null }
  /** Resolves once everything is read. */
  ready(): Promise<void>
  /** Clears the index. */
  [Symbol.dispose](): void
}

/**
 * Creates the only index of a store: it consumes the store's changes, so that a second index would miss
 * them. Records that can't be read aren't found.
 */
export function createConversationIndex(
  store: Pick<Store, 'conversations' | 'messages' | 'changes'>,
): ConversationIndex {
  let index = new TextIndex()
  let reading: { read: number; of: number } | null = null
  let round = 0
  let building = Promise.resolve()

  /** Reads everything again, in slices between which other work runs. */
  function read(): void {
    const startedRound = ++round
    index = new TextIndex()
    const ids = store.conversations.list().map(({ id }) => id)
    const progress = { read: 0, of: ids.length }
    reading = progress
    building = (async () => {
      let until = performance.now() + SLICE_MS
      for (const id of ids) {
        if (performance.now() > until) {
          await new Promise((resolve) => setImmediate(resolve))
          until = performance.now() + SLICE_MS
        }
        if (startedRound !== round) return
        if (take(() => putConversation(id))) for (const message of messagesOf(id)) putMessage(message)
        progress.read += 1
      }
      index.settle()
      reading = null
    })()
  }

  /** A damaged record doesn't prevent the search of others. */
  function take(work: () => boolean): boolean {
    try {
      return work()
    } catch {
      return false
    }
  }
  function messagesOf(id: string): Message[] {
    try {
      return store.messages.of(id)
    } catch {
      return []
    }
  }
  function putConversation(id: string): boolean {
    const conversation = store.conversations.get(id)
    if (!conversation) return false
    index.putConversation(id, conversation.title, conversation.updatedAt)
    return true
  }
  /** A message in progress is indexed when it's complete. */
  function putMessage({ id, conversationId, state, text }: Message): void {
    if (state !== 'streaming' && text !== '') index.putMessage(conversationId, id, text)
  }

  function follow(): void {
    const changes = store.changes.take()
    if (changes === null || (index.worn && !reading)) return read()
    for (const { kind, id } of changes.toSorted((a, b) => a.kind.localeCompare(b.kind))) {
      if (kind === 'conversation') {
        if (!take(() => putConversation(id))) index.removeConversation(id)
      } else {
        index.removeMessage(id)
        take(() => {
          const message = store.messages.get(id)
          if (message) putMessage(message)
          return true
        })
      }
    }
  }

  return {
    current() {
      follow()
      return { index, reading: reading && { ...reading } }
    },
    async ready() {
      follow()
      while (reading) await building
    },
    [Symbol.dispose]() {
      round += 1
      reading = null
      index = new TextIndex()
    },
  }
}
