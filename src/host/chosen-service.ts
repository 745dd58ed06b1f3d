import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'

/**
 * The plain marker of a data folder: which service it is on. Where it names a service, the sandbox is started only by
 * choice; a locked or damaged vault can therefore never lead back to the sandbox.
 */
const markerSchema = z.object({ profileId: z.string().max(40) })
const MARKER = 'service.json'

/** The chosen profile's id, or null where none was ever chosen. Throws store/damaged where the marker cannot be read. */
export async function readChosenService(folder: string): Promise<string | null> {
  let text: string
  try {
    text = await readFile(join(folder, MARKER), 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw new SottoError('store/damaged', { detail: msg('{file} can’t be read.', { file: MARKER }), cause })
  }
  try {
    return markerSchema.parse(JSON.parse(text)).profileId
  } catch (cause) {
    throw new SottoError('store/damaged', {
      detail: msg('{file} isn’t in the format Sotto wrote.', { file: MARKER }),
      cause,
    })
  }
}

/** Replaces the marker as one step; the folder is made (0700) where there is none. Throws store/unwritable; the marker is then as it was. */
export async function writeChosenService(folder: string, profileId: string): Promise<void> {
  const temporary = join(folder, `${MARKER}.new`)
  const marker = JSON.stringify(markerSchema.parse({ profileId }))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(temporary, marker, { mode: 0o600, flush: true })
    await rename(temporary, join(folder, MARKER))
  } catch (cause) {
    throw new SottoError('store/unwritable', { cause })
  }
}
