import { SottoError } from '../../../../shared/errors.ts'
import type { KnowledgeDocument } from '../../../../shared/knowledge.ts'
import type { ExportEvent } from '../../../../shared/library/conversation-file.ts'
import type { Receipt } from '../../../../shared/receipt.ts'
import type { Store } from '../../../storage/index.ts'
import { sealLines } from '../../../storage/vault/index.ts'
import {
  BACKUP_FORMAT,
  type BackupDocument,
  type BackupFile,
  type BackupRecord,
  type BackupRest,
} from './record.ts'

/** The records that a file of chats is written from. */
export type Backed = Pick<
  Store,
  'conversations' | 'messages' | 'receipts' | 'attachments' | 'folders' | 'prompts' | 'projects' | 'knowledge'
>

/**
 * Writes all conversations, each sealed as a line, with their files before them, then the documents of all projects. Damaged records
 * are skipped and counted.
 */
export async function* backUp(
  store: Backed,
  passphrase: string,
  signal: AbortSignal,
): AsyncGenerator<ExportEvent, void> {
  const ids = store.conversations.list().map(({ id }) => id)
  const lines = await sealLines(BACKUP_FORMAT, passphrase)
  let [conversations, unreadable, unreadableFiles] = [0, 0, 0]
  const saved = new Set<string>()
  yield { type: 'text', text: `${lines.head}\n` }
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted()
    const record = recordOf(store, id)
    if (record === 'damaged') unreadable += 1
    else if (record) {
      conversations += 1
      for (const attachmentId of new Set(
        record.messages.flatMap(({ attachments = [] }) => attachments.map((one) => one.id)),
      )) {
        if (saved.has(attachmentId)) continue
        saved.add(attachmentId)
        const file = await fileOf(store, attachmentId)
        if (file === 'damaged') unreadableFiles += 1
        else if (file) yield { type: 'text', text: `${lines.next(JSON.stringify(file))}\n` }
      }
      yield { type: 'text', text: `${lines.next(JSON.stringify(record))}\n` }
    }
    yield { type: 'progress', done: index + 1, of: ids.length }
    // Let other work run.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const projects = store.projects.list().filter(({ damaged }) => damaged !== true)
  for (const project of projects)
    for (const document of store.knowledge.documents(project.id)) {
      signal.throwIfAborted()
      const passages = passagesOf(store, document)
      if (passages === 'damaged') unreadableFiles += 1
      else {
        const record: BackupDocument = { project, document, passages }
        yield { type: 'text', text: `${lines.next(JSON.stringify(record))}\n` }
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  const rest: BackupRest = { folders: store.folders.list(), prompts: store.prompts.list(), projects }
  yield { type: 'text', text: `${lines.last(JSON.stringify(rest))}\n` }
  yield { type: 'ended', conversations, unreadable, ...(unreadableFiles > 0 && { unreadableFiles }) }
}

/** @returns the attachment with its content; null if it doesn't exist */
export async function fileOf({ attachments }: Backed, id: string): Promise<BackupFile | 'damaged' | null> {
  try {
    const [attachment, content] = [attachments.get(id), await attachments.read(id)]
    return attachment && content && { attachment, content: Buffer.from(content).toString('base64') }
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return 'damaged'
    throw error
  }
}

/** A document without one of its passages would look complete, so it counts as damaged. */
export function passagesOf({ knowledge }: Backed, { id, passages: limit }: KnowledgeDocument) {
  try {
    const passages = knowledge.passages(id, { from: 0, limit })
    return passages.length === limit ? passages.map(({ number: _, ...passage }) => passage) : 'damaged'
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return 'damaged'
    throw error
  }
}

/** @returns a conversation with its messages and receipts; null if it doesn't exist */
export function recordOf(store: Backed, id: string): BackupRecord | 'damaged' | null {
  try {
    const found = store.conversations.get(id)
    if (!found) return null
    const { temporary: _, ...conversation } = found
    const messages = store.messages.of(id)
    const receipts = [...new Set(messages.flatMap(({ receiptId }) => receiptId ?? []))].flatMap(
      (receiptId): Receipt | Receipt[] => store.receipts.get(receiptId) ?? [],
    )
    return { conversation, messages, receipts }
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return 'damaged'
    throw error
  }
}
