import { join } from 'node:path'
import { acquireExclusiveLock } from '../core/store/exclusive-lock.ts'
import { SottoError } from '../shared/errors.ts'
import type { DataFolder } from './data-folder.ts'
import { unwritable } from './safe-path.ts'

const LOCK_FILE = 'owner.lock'

/** This process is the one that may open, change and serve the data folder. It ends with release() or with the process. */
interface Ownership {
  release(): void
}

/**
 * Takes the lock of a data folder.
 *
 * @returns null while another process, or another part of this one, holds it
 * @throws {SottoError} store/unwritable – if the lock file cannot be created or opened
 * @throws {SottoError} store/damaged – if it is not a lock of Sotto's
 */
export function acquireOwnership({ path }: DataFolder): Ownership | null {
  const lock = join(path, LOCK_FILE)
  try {
    return acquireExclusiveLock(lock)
  } catch (thrown) {
    throw thrown instanceof SottoError ? thrown : unwritable(lock, thrown)
  }
}
