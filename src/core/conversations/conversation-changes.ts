import type { ChatRecords } from './conversations.ts'

/** Tells any number of readers which conversations changed, so that every tab shows the same. */
export class ConversationChanges {
  readonly #readers = new Set<(conversationId: string) => void>()

  note(conversationId: string): void {
    for (const reader of this.#readers) reader(conversationId)
  }

  /** Yields once at the beginning with no IDs, and then the IDs that changed since, until `signal` aborts. */
  async *read(signal: AbortSignal): AsyncGenerator<string[], void> {
    const changed = new Set<string>()
    let wake = (): void => undefined
    const reader = (id: string): void => {
      changed.add(id)
      wake()
    }
    const left = (): void => wake()
    this.#readers.add(reader)
    signal.addEventListener('abort', left)
    try {
      yield []
      while (!signal.aborted) {
        const ids = [...changed]
        changed.clear()
        if (ids.length > 0) yield ids
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      this.#readers.delete(reader)
      signal.removeEventListener('abort', left)
    }
  }
}

/** The same records, whose writes to a conversation are noted. A question and its answer both touch theirs. */
export function notingChanges(records: ChatRecords, changes: ConversationChanges): ChatRecords {
  const { conversations, removals } = records
  const noted = <C extends { readonly id: string }>(conversation: C): C => {
    changes.note(conversation.id)
    return conversation
  }
  return {
    ...records,
    conversations: {
      ...conversations,
      create: (conversation) => noted(conversations.create(conversation)),
      change: (id, patch) => noted(conversations.change(id, patch)),
      rename: (id, title) => noted(conversations.rename(id, title)),
      touch: (id, patch) => noted(conversations.touch(id, patch)),
      insert: (conversation) => conversations.insert(noted(conversation)),
      remove(id) {
        changes.note(id)
        return conversations.remove(id)
      },
    },
    removals: {
      ...removals,
      hide(removal) {
        changes.note(removal.conversationId)
        return removals.hide(removal)
      },
      takeBack(removal) {
        changes.note(removal.conversationId)
        return removals.takeBack(removal)
      },
    },
  }
}
