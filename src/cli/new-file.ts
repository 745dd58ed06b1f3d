import { open, rm } from 'node:fs/promises'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'
import { CommandFailure } from './client.ts'

/**
 * Writes a file that only its owner can read, and never overwrites one. If the work fails, nothing of the file is left.
 * Throws request/invalid if the file can't be created, and store/unwritable if it can't be written.
 */
export async function writeNewFile<T>(
  path: string,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new SottoError('request/invalid', {
      detail: msg('Couldn’t create {output}, or it already exists. Choose another file.', { output: path }),
      cause,
    })
  })
  const unwritable = (): never => {
    throw new CommandFailure({
      code: 'store/unwritable',
      says: `Couldn’t save ${path}.`,
      remedy: 'Free some space, or choose another file.',
    })
  }
  try {
    const result = await work((text) => file.writeFile(text).catch(unwritable))
    await file.sync().catch(unwritable)
    return result
  } catch (thrown) {
    await rm(path, { force: true })
    throw thrown
  } finally {
    await file.close()
  }
}
