import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { SottoError } from '../shared/errors.ts'
import { msg } from '../shared/localized-text.ts'

/**
 * The unencrypted marker of a data folder: its chosen service. If the marker names a service, the sandbox
 * starts only by explicit choice, so a locked or damaged vault can never cause a return to the sandbox.
 */
const markerSchema = z.object({ profileId: z.string().max(40) })
const MARKER = 'service.json'

/**
 * The chosen profile's id, or null if none was ever chosen. Throws store/damaged if the marker can't be
 * read.
 */
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

/** Whether a service was ever chosen, demo mode included. Throws store/damaged as `readChosenService` does. */
export async function isServiceChosen(folder: string): Promise<boolean> {
  return (await readChosenService(folder)) !== null
}

/**
 * Replaces the marker atomically; creates the folder (0700) if it doesn't exist. Throws store/unwritable;
 * the marker doesn't change then.
 */
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
