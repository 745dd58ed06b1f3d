import { randomUUID } from 'node:crypto'
import { SottoError } from '../../../shared/errors.ts'
import type { ExportEvent, ExportFormat } from '../../../shared/library/conversation-file.ts'
import type { ImportReport } from '../../../shared/library/import-report.ts'
import type { SearchAnswer } from '../../../shared/library/search.ts'
import type { Store } from '../../storage/index.ts'
import { createConversationIndex } from './conversation-index.ts'
import { exportConversations } from './export/export-conversations.ts'
import { backUp } from './backup/back-up.ts'
import { ProjectImport } from './project-file/import-project.ts'
import { writeProject } from './project-file/write-project.ts'
import { Restore } from './backup/restore.ts'
import { Import, type ImportFile, type ImportOptions } from './import/read-import.ts'
import { search } from './search.ts'

/** Operations on all conversations. */
export interface Library extends Disposable {
  /** Finds only conversations that are indexed already; the first search starts indexing. */
  search(question: string, limit: number): SearchAnswer
  /** Resolves once everything is indexed. */
  ready(): Promise<void>
  /** Exports one conversation or all. Throws conversation/unknown. */
  export(
    format: ExportFormat,
    conversationId: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ExportEvent, void>
  /** Starts an import. A new import ends the one before, whose chats stay. */
  beginImport(options?: ImportOptions): string
  /** Exports all conversations with their receipts as a single file that the passphrase opens. */
  backup(passphrase: string, signal: AbortSignal): AsyncGenerator<ExportEvent, void>
  /** Starts the import of a backup, see `beginImport`. */
  beginRestore(passphrase: string): string
  /**
   * Exports one project with its documents and chats as a single file, which is unencrypted without a passphrase.
   * Throws project/unknown.
   */
  exportProject(
    projectId: string,
    passphrase: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<ExportEvent, void>
  /** Starts the import of a project's file, see `beginImport`. If it fails or stops, nothing of it stays. */
  beginProjectImport(passphrase: string | undefined): string
  /** @returns the report on the content read so far. Throws library/… and project/…. */
  importPiece(id: string, text: string, file?: ImportFile): Promise<ImportReport>
  /**
   * Throws library/import-unknown. Throws library/not-conversations or library/backup-invalid if nothing in
   * the file could be imported, and project/file-invalid if the end of a project's file is missing.
   */
  endImport(id: string, stopped: boolean, otherFiles?: number): ImportReport
  /**
   * Deletes the chats that the last import saved. Chats with newer messages stay. Throws
   * library/import-unknown.
   *
   * @returns the number of deleted and of remaining chats
   */
  undoImport(id: string): { readonly removed: number; readonly remaining: number }
}

/** Creates a library that reads nothing before the first call. @param now Unix ms */
export function createLibrary(store: Store, now: () => number): Library {
  const index = createConversationIndex(store)
  let importing: {
    readonly id: string
    readonly file: Import | Restore | ProjectImport
    busy: boolean
  } | null = null
  let undoable: { readonly id: string; readonly file: Import } | null = null
  function leave(): void {
    if (importing?.file instanceof ProjectImport) importing.file.abandon()
    importing = null
  }
  function begin(file: Import | Restore | ProjectImport): string {
    leave()
    const id = randomUUID()
    importing = { id, file, busy: false }
    if (file instanceof Import && !file.preview) undoable = { id, file }
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
    beginImport: (options) => begin(new Import(store, now, options)),
    beginRestore: (passphrase) => begin(new Restore(store, passphrase)),
    exportProject: (projectId, passphrase, signal) => writeProject(store, projectId, passphrase, signal),
    beginProjectImport: (passphrase) => begin(new ProjectImport(store, passphrase)),
    async importPiece(id, text, file) {
      const current = underWay(id)
      // Pieces are ordered, so the caller must wait for a response before it sends the next piece.
      if (current.busy) throw new SottoError('library/import-unknown')
      current.busy = true
      try {
        await current.file.take(text, file)
        return current.file.report()
      } catch (error) {
        if (importing === current) importing = null
        throw error
      } finally {
        current.busy = false
      }
    },
    endImport(id, stopped, otherFiles) {
      const { file } = underWay(id)
      if (stopped) leave()
      else importing = null
      return stopped ? file.report() : file.end(otherFiles)
    },
    undoImport(id) {
      if (undoable?.id !== id || importing?.id === id) throw new SottoError('library/import-unknown')
      const { file } = undoable
      undoable = null
      return file.undo()
    },
    [Symbol.dispose]() {
      leave()
      undoable = null
      index[Symbol.dispose]()
    },
  }
}
