import type { ChangeFeed } from '../../shared/change-feed.ts'
import type { ChatRecords } from './conversations.ts'

/** The same records, whose writes to a conversation are noted. A question and its answer both touch theirs. */
export function notingChanges(records: ChatRecords, changes: ChangeFeed<string>): ChatRecords {
  const { conversations, removals } = records
  const note = (id: string): void => changes.note(id, id)
  const noted = <C extends { readonly id: string }>(conversation: C): C => {
    note(conversation.id)
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
        note(id)
        return conversations.remove(id)
      },
    },
    removals: {
      ...removals,
      hide(removal, alongside) {
        note(removal.conversationId)
        return removals.hide(removal, alongside)
      },
      takeBack(removal, alongside) {
        note(removal.conversationId)
        return removals.takeBack(removal, alongside)
      },
    },
  }
}
