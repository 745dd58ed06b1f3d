import { z } from 'zod'
import { subtreeOf, treeOf } from '../../shared/conversation-tree.ts'
import type { AllMessages } from './messages.ts'
import { parsedJson, type SealedDatabase } from './sealed-database.ts'
import type { Store } from './store.ts'

/**
 * A hidden record, which is deleted when the removal can no longer be undone: a conversation, or a message
 * with all that follow it.
 */
export interface Removal {
  readonly conversationId: string
  readonly messageId?: string | undefined
}

const NAME = 'removals'
const storedSchema = z.array(z.object({ conversationId: z.string(), messageId: z.string().optional() }))

/**
 * The hidden records. They are read once and written with each change, so that the next process deletes
 * what this one leaves hidden.
 */
export class HiddenRecords {
  readonly #settings: Store['settings']
  readonly #database: Pick<SealedDatabase, 'transaction'>
  #removals: readonly Removal[]
  #reveals = false

  constructor(settings: Store['settings'], database: Pick<SealedDatabase, 'transaction'>) {
    this.#settings = settings
    this.#database = database
    this.#removals = read(settings.get(NAME))
  }

  /** Runs the work, for which nothing is hidden. */
  revealing<T>(work: () => T): T {
    const before = this.#reveals
    this.#reveals = true
    try {
      return work()
    } finally {
      this.#reveals = before
    }
  }

  /** In the order in which they were hidden. */
  all(): readonly Removal[] {
    return this.#removals
  }

  /** Whether the whole conversation is hidden. */
  hides(conversationId: string): boolean {
    return this.#hiding.some(
      (removal) => removal.conversationId === conversationId && removal.messageId === undefined,
    )
  }

  /** Whether any part of the conversation is hidden. */
  hidesIn(conversationId: string): boolean {
    return this.#hiding.some((removal) => removal.conversationId === conversationId)
  }

  /** Messages that are hidden with all that follow them. */
  messagesOf(conversationId: string): readonly string[] {
    return this.#hiding.flatMap((removal) =>
      removal.conversationId === conversationId && removal.messageId !== undefined ? [removal.messageId] : [],
    )
  }

  get #hiding(): readonly Removal[] {
    return this.#reveals ? [] : this.#removals
  }

  /** Written before it returns, together with `alongside` or not at all. Throws store/unwritable. */
  add(removal: Removal, alongside: () => void): void {
    this.#keep([...this.#removals.filter((known) => !same(known, removal)), removal], alongside)
  }

  /** Returns false if the record isn't hidden. Otherwise writes `alongside` too, or nothing. */
  delete(removal: Removal, alongside: () => void): boolean {
    const others = this.#removals.filter((known) => !same(known, removal))
    if (others.length === this.#removals.length) return false
    this.#keep(others, alongside)
    return true
  }

  #keep(removals: readonly Removal[], alongside: () => void): void {
    this.#database.transaction(() => {
      this.#settings.set(NAME, JSON.stringify(removals))
      alongside()
    })
    this.#removals = removals
  }
}

function same(a: Removal, b: Removal): boolean {
  return a.conversationId === b.conversationId && a.messageId === b.messageId
}

function read(stored: string | null): readonly Removal[] {
  if (stored === null) return []
  return parsedJson(storedSchema, stored)
}

interface Records {
  readonly hidden: HiddenRecords
  readonly conversations: Store['conversations']
  readonly messages: Store['messages'] & AllMessages
  readonly database: Pick<SealedDatabase, 'transaction' | 'clearLog'>
}

/**
 * Hides and restores records, and deletes those that stay hidden: a conversation, or a message with all
 * that follow it.
 */
export function removalsIn({ hidden, conversations, messages, database }: Records): Store['removals'] {
  return {
    hide(removal, alongside) {
      const { conversationId, messageId } = removal
      if (!conversations.get(conversationId)) return false
      if (messageId !== undefined && !messages.of(conversationId).some(({ id }) => id === messageId))
        return false
      hidden.add(removal, () => {
        messages.noteChanged(conversationId)
        alongside?.()
      })
      return true
    },
    takeBack: (removal, alongside) =>
      hidden.delete(removal, () => {
        messages.noteChanged(removal.conversationId)
        alongside?.()
      }),
    revealing: (work) => hidden.revealing(work),
    finish(removal) {
      if (!hidden.all().some((known) => same(known, removal))) return
      const { conversationId, messageId } = removal
      database.transaction(() => {
        if (messageId === undefined) conversations.remove(conversationId)
        else for (const id of subtreeOf(treeOf(messages.all(conversationId)), messageId)) messages.delete(id)
      })
      // Last, so that the next process repeats the deletion if this one ends in between.
      hidden.delete(removal, () => undefined)
      database.clearLog()
    },
  }
}
