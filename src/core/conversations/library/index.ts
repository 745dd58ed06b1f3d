import { randomUUID } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import type { ExportEvent, ExportFormat } from '../../../shared/library/conversation-file.ts'
import type { ImportReport } from '../../../shared/library/import-report.ts'
import type { SearchAnswer } from '../../../shared/library/search.ts'
import type { Store } from '../../storage/index.ts'
import { createConversationIndex } from './conversation-index.ts'
import { exportConversations } from './export/export-conversations.ts'
import { backUp } from './backup/back-up.ts'
import { Restore } from './backup/restore.ts'
import { Import } from './import/read-import.ts'
import { search } from './search.ts'

/** What can be done with all conversations together. */
export interface Library extends Disposable {
  /** What is not read into the index yet is not found yet; the first question begins to read. */
  search(question: string, limit: number): SearchAnswer
  /** Once all is read. */
  ready(): Promise<void>
  /** One conversation, or all. Throws conversation/unknown. */
  export(
    format: ExportFormat,
    conversationId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ExportEvent, void>
  /** One file at a time: where another is begun, what was taken of the former one stays, and no more of it is taken. */
  beginImport(): string
  /** All conversations with their receipts, in one file that the passphrase opens. */
  backup(passphrase: string, signal: AbortSignal): AsyncGenerator<ExportEvent, void>
  /** As beginImport, of a backup. */
  beginRestore(passphrase: string): string
  /** What was taken so far. Throws library/…. */
  importPiece(id: string, text: string): Promise<ImportReport>
  /** Throws library/import-unknown; where nothing of the file could be taken, library/not-conversations or library/backup-invalid. */
  endImport(id: string, stopped: boolean): ImportReport
}

/** Nothing is read before something is asked for. @param now Unix ms */
export function createLibrary(store: Store, now: () => number): Library {
  const index = createConversationIndex(store)
  let importing: { readonly id: string; readonly file: Import | Restore; busy: boolean } | null = null
  function begin(file: Import | Restore): string {
    const id = randomUUID()
    importing = { id, file, busy: false }
    return id
  }
  function underWay(id: string): NonNullable<typeof importing> {
    if (importing?.id !== id) throw new SottoError('library/import-unknown')
    return importing
  }
  return {
    search: (question, limit) => search(store, index, question, limit),
    ready: () => index.ready(),
    export: (format, conversationId, signal) =>
      exportConversations(store, format, conversationId, now(), signal),
    backup: (passphrase, signal) => backUp(store, passphrase, signal),
    beginImport: () => begin(new Import(store, now)),
    beginRestore: (passphrase) => begin(new Restore(store, passphrase)),
    async importPiece(id, text) {
      const own = underWay(id)
      // Pieces have an order: the next is sent once this one is answered.
      if (own.busy) throw new SottoError('library/import-unknown')
      own.busy = true
      try {
        await own.file.take(text)
        return own.file.report()
      } catch (error) {
        if (importing === own) importing = null
        throw error
      } finally {
        own.busy = false
      }
    },
    endImport(id, stopped) {
      const { file } = underWay(id)
      importing = null
      return stopped ? file.report() : file.end()
    },
    [Symbol.dispose]() {
      importing = null
      index[Symbol.dispose]()
    },
  }
}
