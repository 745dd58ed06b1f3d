import { ChangeFeed } from '../../shared/change-feed.ts'
import type { Conversation, Message } from '../../shared/conversation.ts'
import { isPrivateOnly, pathTo, shownPath, subtreeOf, treeOf } from '../../shared/conversation-tree.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Removal, Store } from '../storage/index.ts'
import { notingChanges } from './conversation-changes.ts'
import { shortened } from './title.ts'

/** How long a removal can be undone. */
const UNDO_MS = 30_000
const TITLE_LENGTH = 200

export interface WholeConversation {
  readonly conversation: Conversation
  readonly messages: Message[]
}

export type ChatRecords = Pick<
  Store,
  'conversations' | 'messages' | 'removals' | 'attachments' | 'drafts' | 'tools' | 'atOnce'
>

/** A removal that can be undone. */
interface Pending {
  readonly removal: Removal
  readonly timer: NodeJS.Timeout
  /** The context cut that the removal ended. */
  readonly cut: Conversation['contextCut']
  /** The parent of the message; null at the beginning. */
  readonly parentId: string | null
}

/** Stored conversations, and temporary ones, which are only in memory. */
export interface Conversations extends Disposable {
  /** The last changed first: all, or those among `ids` that exist. */
  list(ids?: readonly string[]): Conversation[]
  /** Yields the IDs of conversations that any caller changed or removed, first none, until `signal` aborts. */
  watch(signal: AbortSignal): AsyncGenerator<string[], void>
  /** Throws conversation/unknown, like all methods below. */
  get(id: string): WholeConversation
  /** The records of stored and of temporary conversations. */
  readonly places: { readonly stored: ChatRecords; readonly memory: ChatRecords }
  /** The records that include the conversation. */
  recordsOf(id: string): ChatRecords
  create(conversation: Parameters<Store['conversations']['create']>[0], temporary: boolean): Conversation
  rename(id: string, title: string): Conversation
  change(id: string, patch: Parameters<Store['conversations']['change']>[1]): Conversation
  /** Shows the branch through this message. Throws conversation/message-unknown. */
  show(id: string, messageId: string): Conversation
  /**
   * Sends no message up to this one to a model any more; null sends all again. Throws conversation/message-unknown.
   * @param summary is sent instead
   */
  cut(id: string, messageId: string | null, summary?: string): Conversation
  /** Copies the branch up to this message, or the whole visible branch, to a new conversation. */
  fork(id: string, messageId: string | undefined): WholeConversation
  remove(removal: Removal): { removed: boolean; undoMs: number }
  restore(removal: Removal): WholeConversation
  /** Runs the work, for which removed conversations and messages are there as long as they can be restored. */
  withRemoved<T>(work: () => T): T
  /** Deletes the temporary ones among them now. */
  endTemporary(ids: readonly string[]): number
}

/**
 * Hidden conversations are deleted when this is disposed of, or at the next start if the disk fails.
 *
 * @param stored the records on the disk
 * @param temporary records that are never written to the disk
 */
export function createConversations(stored: ChatRecords, temporary: ChatRecords): Conversations {
  const changes = new ChangeFeed<string>()
  const [storedRecords, memory] = [notingChanges(stored, changes), notingChanges(temporary, changes)]
  const pending = new Map<string, Pending>()

  const recordsOf = (id: string): ChatRecords => (memory.conversations.get(id) ? memory : storedRecords)
  const marked = (records: ChatRecords, conversation: Conversation): Conversation =>
    records === memory ? { ...conversation, temporary: true } : conversation

  function get(id: string): WholeConversation {
    const records = recordsOf(id)
    const conversation = records.conversations.readable(id)
    if (!conversation) throw new SottoError('conversation/unknown')
    return { conversation: marked(records, conversation), messages: records.messages.readable(id) }
  }
  function finish(name: string): void {
    const waiting = pending.get(name)
    if (!waiting) return
    pending.delete(name)
    clearTimeout(waiting.timer)
    for (const records of [storedRecords, memory]) records.removals.finish(waiting.removal)
  }
  /** If the disk fails, the next start deletes the record. */
  function finishLater(name: string): void {
    try {
      finish(name)
    } catch {
      // The record stays hidden.
    }
  }

  return {
    places: { stored: storedRecords, memory },
    recordsOf,
    get,
    list: (ids) =>
      [memory, storedRecords]
        .flatMap((records) =>
          (ids === undefined
            ? records.conversations.list()
            : ids.flatMap((id) => records.conversations.readable(id) ?? [])
          ).map((conversation) => marked(records, conversation)),
        )
        .toSorted((a, b) => b.updatedAt - a.updatedAt),
    watch: (signal) => changes.read(signal),
    create(conversation, temporary) {
      const records = temporary ? memory : storedRecords
      return marked(records, records.conversations.create(conversation))
    },
    rename(id, title) {
      const records = recordsOf(id)
      return marked(records, records.conversations.rename(id, title))
    },
    change(id, patch) {
      const records = recordsOf(id)
      return marked(records, records.conversations.change(id, patch))
    },
    show(id, messageId) {
      const { messages } = get(id)
      const tree = treeOf(messages)
      if (!tree.get(messageId)) throw new SottoError('conversation/message-unknown')
      const leafId = shownPath(tree, messages, messageId).at(-1)?.id
      return this.change(id, { leafId })
    },
    cut(id, messageId, summary) {
      const { conversation, messages } = get(id)
      if (conversation.damaged) throw new SottoError('store/damaged')
      if (messageId !== null && !messages.some((message) => message.id === messageId))
        throw new SottoError('conversation/message-unknown')
      return this.change(id, {
        contextCut: messageId === null ? null : { messageId, ...(summary !== undefined && { summary }) },
      })
    },
    fork(id, messageId) {
      const { conversation, messages } = get(id)
      if (conversation.damaged) throw new SottoError('store/damaged')
      const path = branchBefore({ conversation, messages }, messageId)
      const records = recordsOf(id)
      const { title, model, folderId, projectId, systemPrompt, parameters, direction, contextCut } =
        conversation
      const copy = records.atOnce(() => {
        const { id: conversationId } = records.conversations.create({
          title: shortened(`Branch of ${title}`, TITLE_LENGTH),
          model,
          private: isPrivateOnly(conversation, messages),
          ...(folderId !== undefined && { folderId }),
          ...(projectId !== undefined && { projectId }),
          ...(systemPrompt !== undefined && { systemPrompt }),
          ...(parameters && { parameters }),
          ...(direction && { direction }),
          ...(conversation.imported && { imported: true }),
        })
        let parentId: string | null = null
        for (const { id: original, state, damaged, ...rest } of path) {
          // A message in progress continues only in the original conversation.
          if (!damaged)
            parentId = records.messages.add({
              ...rest,
              conversationId,
              parentId,
              state: state === 'streaming' ? 'interrupted' : state,
            }).id
          // If the message at the cut isn't copied, the one before it ends what isn't sent.
          if (contextCut?.messageId === original && parentId !== null)
            records.conversations.change(conversationId, {
              contextCut: { ...contextCut, messageId: parentId },
            })
        }
        const tools = records.tools.chosen(id)
        if (tools.length > 0) records.tools.choose(conversationId, tools)
        return conversationId
      })
      return get(copy)
    },
    remove(removal) {
      const records = recordsOf(removal.conversationId)
      const tree =
        removal.messageId === undefined ? undefined : treeOf(records.messages.of(removal.conversationId))
      const parentId = removal.messageId === undefined ? undefined : tree?.parentOf(removal.messageId)
      const cut = records.conversations.readable(removal.conversationId)?.contextCut
      // A summary must not outlive a message that it tells about. All those messages lead to the one at the cut.
      const endsCut =
        cut &&
        tree &&
        removal.messageId !== undefined &&
        subtreeOf(tree, removal.messageId).has(cut.messageId)
      const hidden = records.removals.hide(removal, () => {
        // Shows another message with the same parent instead.
        if (parentId !== undefined)
          records.conversations.change(removal.conversationId, {
            leafId: parentId,
            ...(endsCut && { contextCut: null }),
          })
      })
      if (!hidden) return { removed: false, undoMs: 0 }
      const name = nameOf(removal)
      pending.set(name, {
        removal,
        timer: setTimeout(finishLater, UNDO_MS, name).unref(),
        cut: endsCut ? cut : undefined,
        parentId: parentId ?? null,
      })
      return { removed: true, undoMs: UNDO_MS }
    },
    restore(removal) {
      const { conversationId, messageId } = removal
      const name = nameOf(removal)
      const waiting = pending.get(name)
      const found = [memory, storedRecords].some(({ removals, conversations, messages }) =>
        removals.takeBack(removal, () => {
          if (messageId === undefined) return
          const { cut, parentId = null } = waiting ?? {}
          // If another removal hides the message at the cut, its summary stays away too.
          const cuts =
            cut &&
            (parentId === null || messages.get(parentId)) &&
            !conversations.get(conversationId)?.contextCut
          conversations.change(conversationId, { leafId: messageId, ...(cuts && { contextCut: cut }) })
        }),
      )
      if (!found) throw new SottoError('conversation/unknown')
      clearTimeout(waiting?.timer)
      pending.delete(name)
      return get(conversationId)
    },
    withRemoved: (work) => memory.removals.revealing(() => storedRecords.removals.revealing(work)),
    endTemporary: (ids) => ids.filter((id) => memory.conversations.remove(id)).length,
    [Symbol.dispose]() {
      for (const name of [...pending.keys()]) finishLater(name)
    },
  }
}

/**
 * The branch to this message; without an ID the visible branch, and with null none. Throws
 * conversation/message-unknown.
 */
export function branchBefore(
  { conversation, messages }: WholeConversation,
  messageId: string | null | undefined,
): Message[] {
  const tree = treeOf(messages)
  if (messageId === undefined) return shownPath(tree, messages, conversation.leafId)
  if (messageId !== null && !tree.get(messageId)) throw new SottoError('conversation/message-unknown')
  return pathTo(tree, messageId)
}

function nameOf({ conversationId, messageId }: Removal): string {
  return JSON.stringify([conversationId, messageId])
}
