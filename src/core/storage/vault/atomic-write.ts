import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SottoError } from '../../../shared/errors.ts'

/**
 * Writes a file that only the user can read. It always has the old or the new text and never a part, also
 * after a power failure. Creates the folder (0700) if it doesn't exist. Throws SottoError
 * `store/unwritable`.
 */
export async function writeAtomically(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  const partial = `${path}.partial`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rm(partial, { force: true })
    await writeDurably(partial, text)
    await rename(partial, path)
    await syncFolder(folder)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw new SottoError('store/unwritable', { cause: error })
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can't sync a folder, and records renames in its journal.
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}
