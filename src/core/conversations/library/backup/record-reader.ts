import { SottoError } from '../../../../shared/errors.ts'
import type { KnowledgeDocument } from '../../../../shared/knowledge.ts'
import type { ExportEvent } from '../../../../shared/library/conversation-file.ts'
import type { Receipt } from '../../../../shared/receipt.ts'
import type { Store } from '../../../storage/index.ts'
import type { BackupDocument, BackupFile, BackupRecord } from './record.ts'

/** The records that a file of conversations is written from. */
export type Backed = Pick<
  Store,
  'conversations' | 'messages' | 'receipts' | 'attachments' | 'folders' | 'prompts' | 'projects' | 'knowledge'
>

/** Reads the records of a file. Damaged ones are skipped and counted. */
export class RecordReader {
  readonly #store: Backed
  readonly #signal: AbortSignal
  readonly #attachmentIds = new Set<string>()
  #conversations = 0
  #unreadable = 0
  #unreadableFiles = 0

  constructor(store: Backed, signal: AbortSignal) {
    this.#store = store
    this.#signal = signal
  }

  /** Yields the attachments that weren't read yet, and then the conversation with its messages and receipts. */
  async *conversation(id: string): AsyncGenerator<BackupFile | BackupRecord, void> {
    this.#signal.throwIfAborted()
    const record = await ifReadable(() => this.#record(id))
    if (record === 'damaged') this.#unreadable += 1
    else if (record) {
      this.#conversations += 1
      for (const attachment of record.messages.flatMap(({ attachments = [] }) => attachments)) {
        if (this.#attachmentIds.has(attachment.id)) continue
        this.#attachmentIds.add(attachment.id)
        const file = await ifReadable(() => this.#file(attachment.id))
        if (file === 'damaged') this.#unreadableFiles += 1
        else if (file) yield file
      }
      yield record
    }
    await letOthersRun()
  }

  /** Yields the document with its passages. Without one of them it would look complete, so it counts as damaged. */
  async *document(
    document: KnowledgeDocument,
  ): AsyncGenerator<Pick<BackupDocument, 'document' | 'passages'>, void> {
    this.#signal.throwIfAborted()
    const { id, passages: limit } = document
    const passages = await ifReadable(() => this.#store.knowledge.passages(id, { from: 0, limit }))
    if (passages === 'damaged' || passages.length !== limit) this.#unreadableFiles += 1
    else yield { document, passages: passages.map(({ number: _, ...passage }) => passage) }
    await letOthersRun()
  }

  /** The last event of an export, with the numbers of records. */
  ended(): ExportEvent {
    return {
      type: 'ended',
      conversations: this.#conversations,
      unreadable: this.#unreadable,
      ...(this.#unreadableFiles > 0 && { unreadableFiles: this.#unreadableFiles }),
    }
  }

  #record(id: string): BackupRecord | null {
    const found = this.#store.conversations.get(id)
    if (!found) return null
    const { temporary: _, ...conversation } = found
    const messages = this.#store.messages.of(id)
    const receipts = [...new Set(messages.flatMap(({ receiptId }) => receiptId ?? []))].flatMap(
      (receiptId): Receipt | Receipt[] => this.#store.receipts.get(receiptId) ?? [],
    )
    return { conversation, messages, receipts }
  }

  async #file(id: string): Promise<BackupFile | null> {
    const { attachments } = this.#store
    const [attachment, content] = [attachments.get(id), await attachments.read(id)]
    return attachment && content && { attachment, content: Buffer.from(content).toString('base64') }
  }
}

async function ifReadable<T>(read: () => T | Promise<T>): Promise<T | 'damaged'> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof SottoError && error.code === 'store/damaged') return 'damaged'
    throw error
  }
}

/** Returns after other work ran. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
