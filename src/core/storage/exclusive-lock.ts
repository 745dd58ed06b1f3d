import { DatabaseSync } from 'node:sqlite'
import { createPrivately } from './database-file.ts'
import { asStoreError, SQLITE_BUSY, sqliteCode } from './sqlite-error.ts'

/**
 * Two processes that start at once may refuse each other for a moment, so the loser retries for this long.
 */
const TIMEOUT_MS = 200

/** A lock that this process has. */
export interface ExclusiveLock {
  /**
   * Releases the lock and leaves the file. If the file were removed, two processes could have a lock, each
   * on a different file.
   */
  release(): void
}

/**
 * Acquires the lock of this file. Returns null if another process has it. It's SQLite's lock on an empty
 * database (fcntl on POSIX, LockFileEx on Windows; sqlite.org/lockingv3.html). The kernel therefore
 * releases it when the process ends in any way, and a leftover file has no meaning. Throws SottoError
 * `store/unwritable` or `store/damaged` if the file can't be locked at all, and the file system's errors.
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
