import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { acquireExclusiveLock } from '../core/store/exclusive-lock.ts'

const LOCK_FILE = 'owner.lock'

/** This process is the one that may open, change and serve the data folder. It ends with release() or with the process. */
export interface Ownership {
  release(): void
}

/** Makes the folder (0700) where there is none. null while another process, or another part of this one, owns it. */
export async function acquireOwnership(folder: string): Promise<Ownership | null> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return acquireExclusiveLock(join(folder, LOCK_FILE))
}
