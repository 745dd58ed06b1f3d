import type { ImportReport } from '../../shared/library/import-report.ts'
import { MAX_IMPORT_PIECE } from '../../shared/library/limits.ts'
import { api } from '../ui/api.ts'
import { WindowError } from '../ui/failure.ts'

export interface FileProgress {
  /** Bytes. */
  readonly read: number
  readonly of: number
  readonly report: ImportReport | undefined
  /** Nothing is saved: chats are only counted. */
  readonly preview?: boolean
}

/**
 * Sends a file to the core in pieces, never all at once. After a stop, imported items remain, and the report lists
 * them. A file that doesn't begin as text, such as an archive, fails with `refused` before any of it is sent. If a
 * later piece isn't text, sending ends there.
 */
export async function sendFile(
  file: File,
  begin: () => Promise<{ readonly importId: string }>,
  refused: 'library/backup-invalid' | 'project/file-invalid',
  signal: AbortSignal,
  onProgress: (progress: FileProgress) => void,
): Promise<ImportReport> {
  const { importId } = await begin()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let at = 0; at < file.size && !signal.aborted; at += MAX_IMPORT_PIECE) {
    const bytes = await file.slice(at, at + MAX_IMPORT_PIECE).arrayBuffer()
    const read = Math.min(at + MAX_IMPORT_PIECE, file.size)
    let text: string
    try {
      text = decoder.decode(bytes, { stream: read < file.size })
    } catch {
      if (at === 0) throw new WindowError(refused)
      break
    }
    onProgress({ read, of: file.size, report: await api.library.importPiece({ importId, text }) })
  }
  return api.library.importEnd({ importId, stopped: signal.aborted })
}
