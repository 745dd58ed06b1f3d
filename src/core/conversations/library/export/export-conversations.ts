import type { Conversation } from '../../../../shared/conversation.ts'
import { treeOf } from '../../../../shared/conversation-tree.ts'
import { SottoError } from '../../../../shared/errors.ts'
import type {
  ExportEvent,
  ExportFormat,
  FileConversation,
} from '../../../../shared/library/conversation-file.ts'
import type { Store } from '../../../storage/index.ts'
import { exportText } from './export-text.ts'
import { exportedImages } from './exported-images.ts'

type Place = Pick<Store, 'conversations' | 'messages' | 'folders' | 'jobs' | 'jobFiles'>

/**
 * Exports one conversation or all as one file, in pieces, without storing it. Throws conversation/unknown.
 */
export async function* exportConversations(
  store: Place,
  format: ExportFormat,
  conversationId: string | undefined,
  now: number,
  signal: AbortSignal,
): AsyncGenerator<ExportEvent, void> {
  const ids = conversationId === undefined ? store.conversations.list().map(({ id }) => id) : [conversationId]
  const text = exportText(format, now)
  let [conversations, unreadable] = [0, 0]
  yield { type: 'text', text: text.begin }
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    const conversation = await wholeOf(store, id)
    if (conversationId !== undefined && conversation === null) throw new SottoError('conversation/unknown')
    if (conversation === 'damaged') unreadable += 1
    // A conversation that was deleted in the meantime doesn't count as damaged.
    else if (conversation) {
      conversations += 1
      yield { type: 'text', text: text.conversation(conversation) }
    }
    yield { type: 'progress', done: index + 1, of: ids.length }
    // Let other work run.
    await new Promise((resolve) => setImmediate(resolve))
  }
  yield { type: 'text', text: text.end }
  yield { type: 'ended', conversations, unreadable }
}

/** A conversation with all its branches. */
async function wholeOf(store: Place, id: string): Promise<FileConversation | 'damaged' | null> {
  try {
    const conversation = store.conversations.get(id)
    if (!conversation) return null
    const messages = store.messages.of(id)
    const tree = treeOf(messages)
    const folder =
      conversation.folderId === undefined
        ? undefined
        : store.folders.list().find(({ id: known }) => known === conversation.folderId)?.name
    const images = await exportedImages(store, messages)
    return {
      ...lasting(conversation),
      ...(folder !== undefined && { folder }),
      messages: messages.map(({ conversationId: _, jobId: __, ...message }) => {
        const created = images.get(message.id)
        return { ...message, parentId: tree.parentOf(message.id), ...(created && { images: created }) }
      }),
    }
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return 'damaged'
    throw error
  }
}

function lasting({
  temporary: _,
  folderId: __,
  projectId: ___,
  ...conversation
}: Conversation): Omit<Conversation, 'temporary' | 'folderId' | 'projectId'> {
  return conversation
}
