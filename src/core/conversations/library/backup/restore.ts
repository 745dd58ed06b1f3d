import { z } from 'zod'
import { SottoError } from '../../../../shared/errors.ts'
import type { ImportReport } from '../../../../shared/library/import-report.ts'
import { MOST_DOCUMENTS, MOST_PROJECT_PASSAGES } from '../../../../shared/knowledge.ts'
import { hadPlaintext } from '../../../projects/private-only.ts'
import type { Store } from '../../../storage/index.ts'
import { SQLITE_CONSTRAINT, sqliteCode } from '../../../storage/sqlite-error.ts'
import { decryptLines, type LineOpener } from '../../../storage/vault/index.ts'
import { LineBuffer } from '../line-buffer.ts'
import {
  BACKUP_FORMAT,
  backupDocumentSchema,
  backupFileSchema,
  backupRecordSchema,
  backupRestSchema,
  MAX_LINE,
  type BackupDocument,
  type BackupFile,
  type BackupRecord,
  type BackupRest,
} from './record.ts'

/** Restores one backup, piece by piece. Existing records don't change. */
export class Restore {
  readonly #store: Store
  #passphrase: string
  #lines: LineOpener | null = null
  readonly #buffer = new LineBuffer(MAX_LINE, () => new SottoError('library/backup-invalid'))
  #conversations = 0
  #messages = 0
  #kept = 0
  #whole = false

  constructor(store: Store, passphrase: string) {
    this.#store = store
    this.#passphrase = passphrase
  }

  /** Throws library/backup-invalid, library/backup-passphrase, and store/… if the disk fails. */
  async take(piece: string): Promise<void> {
    for (const line of this.#buffer.take(piece)) await this.#line(line)
  }

  report(): ImportReport {
    return {
      source: 'backup',
      conversations: this.#conversations,
      messages: this.#messages,
      skipped: this.#kept,
      skips: [],
      leftOut: {},
      whole: this.#whole,
    }
  }

  /** The report at the end. Throws library/backup-invalid if not even the first line arrived. */
  end(): ImportReport {
    if (!this.#lines) throw new SottoError('library/backup-invalid')
    return this.report()
  }

  async #line(line: string): Promise<void> {
    if (this.#whole) {
      if (line !== '') throw new SottoError('library/backup-invalid')
      return
    }
    if (!this.#lines) {
      const opened = await decryptLines(BACKUP_FORMAT, this.#passphrase, line)
      this.#passphrase = ''
      if (opened === 'wrong-passphrase') throw new SottoError('library/backup-passphrase')
      if (opened === 'damaged') throw new SottoError('library/backup-invalid')
      this.#lines = opened
      return
    }
    const opened = this.#lines.next(line)
    if (opened === 'damaged') throw new SottoError('library/backup-invalid')
    if (opened.last) {
      this.#shelves(restFrom(opened.text))
      this.#whole = true
    } else {
      const record = recordFrom(opened.text)
      if ('attachment' in record) await this.#file(record)
      else if ('document' in record) this.#document(record)
      else this.#one(record)
    }
    // Let other work run.
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Older backups have no such line. */
  #shelves({ folders, prompts, projects }: BackupRest): void {
    const store = this.#store
    store.atOnce(() => {
      const here = new Set([...store.folders.list(), ...store.prompts.list()].map(({ id }) => id))
      for (const folder of folders) if (!here.has(folder.id)) store.folders.put(folder)
      for (const project of projects) if (!store.projects.get(project.id)) store.projects.put(project)
      for (const { id, name, text } of prompts) if (!here.has(id)) store.prompts.put({ id, name, text })
    })
  }

  /** If no conversation uses the file, the next start removes it. */
  async #file({ attachment, content }: BackupFile): Promise<void> {
    const { attachments } = this.#store
    if (!attachments.get(attachment.id)) await attachments.insert(attachment, Buffer.from(content, 'base64'))
  }

  /** The project comes first, because a backup that ends early must leave no document without one. */
  #document({ project, document, passages }: BackupDocument): void {
    const store = this.#store
    const { projects, knowledge } = store
    if (document.projectId !== project.id || document.passages !== passages.length)
      throw new SottoError('library/backup-invalid')
    const others = knowledge.documents(project.id)
    const count = others.reduce((sum, one) => sum + one.passages, passages.length)
    if (others.length >= MOST_DOCUMENTS || count > MOST_PROJECT_PASSAGES) return
    store.atOnce(() => {
      if (!projects.get(project.id)) projects.put(project)
      knowledge.insert(
        document,
        passages.map((passage, number) => ({ ...passage, number })),
      )
    })
  }

  /** A chat with plaintext leaves a project that has become private-only here since the backup. */
  #outsidePrivateProject(
    conversation: BackupRecord['conversation'],
    messages: BackupRecord['messages'],
  ): BackupRecord['conversation'] {
    const { projectId, ...rest } = conversation
    const project = projectId === undefined ? null : this.#store.projects.get(projectId)
    return project?.privateOnly && hadPlaintext(conversation, messages) ? rest : conversation
  }

  #one({ conversation, messages, receipts }: BackupRecord): void {
    const store = this.#store
    if (store.conversations.get(conversation.id)) {
      this.#kept += 1
      return
    }
    try {
      store.atOnce(() => {
        store.conversations.insert(this.#outsidePrivateProject(conversation, messages))
        for (const message of messages)
          store.messages.insert({
            ...message,
            conversationId: conversation.id,
            state: message.state === 'streaming' ? 'interrupted' : message.state,
          })
      })
    } catch (error) {
      // The id exists: the conversation was just deleted, and the removal can still be undone.
      if (((sqliteCode(error) ?? 0) & 0xff) !== SQLITE_CONSTRAINT) throw error
      this.#kept += 1
      return
    }
    for (const receipt of receipts) if (!store.receipts.get(receipt.id)) store.receipts.put(receipt)
    this.#conversations += 1
    this.#messages += messages.length
  }
}

function restFrom(text: string): BackupRest {
  try {
    return backupRestSchema.parse(text === '' ? {} : JSON.parse(text))
  } catch {
    throw new SottoError('library/backup-invalid')
  }
}

function recordFrom(text: string): BackupRecord | BackupFile | BackupDocument {
  try {
    return z.union([backupRecordSchema, backupFileSchema, backupDocumentSchema]).parse(JSON.parse(text))
  } catch {
    // Don't pass on the parser's error, which would quote the content.
    throw new SottoError('library/backup-invalid')
  }
}
