import { DatabaseSync } from 'node:sqlite'
import { createPrivately } from './database-file.ts'
import { asStoreError, SQLITE_BUSY, sqliteCode } from './sqlite-error.ts'

/**
 * Two who start at once may refuse each other for a moment before one of them has the lock, so the loser looks again
 * for this long.
 */
const TIMEOUT_MS = 200

/** A lock that is held. */
export interface ExclusiveLock {
  /** The file stays: whoever removed it would let two hold "the" lock, each on a file of its own. */
  release(): void
}

/**
 * Takes the lock of this file, or answers null while another process holds it. It is SQLite's own lock on an empty
 * database (fcntl on POSIX, LockFileEx on Windows; sqlite.org/lockingv3.html), so the kernel lets go of it when the
 * process ends, however it ends, and a file left behind means nothing.
 * Throws SottoError `store/unwritable` or `store/damaged` where the file cannot be locked at all, and the file system's errors.
 */
export function acquireExclusiveLock(path: string): ExclusiveLock | null {
  createPrivately(path)
  const database = new DatabaseSync(path, { timeout: TIMEOUT_MS })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (sqliteCode(error) === SQLITE_BUSY) return null
    throw asStoreError(error)
  }
  return {
    release() {
      if (database.isOpen) database.close()
    },
  }
}
