import { readFile, rename, writeFile } from 'node:fs/promises'
import type { z } from 'zod'

/** Runs tasks one after the other in the order of the calls, also after a failed one. */
export function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = before.then(work)
    before = done.catch(() => undefined)
    return done
  }
}

/**
 * Saves one value of the desktop in a file that only its owner can read, atomically. If several values are
 * saved at once, the last one wins. The returned function rejects if the file can't be written.
 */
export function keepInFile(file: string): (value: unknown) => Promise<void> {
  const turn = serialQueue()
  return (value) => {
    const text = JSON.stringify(value)
    return turn(async () => {
      await writeFile(`${file}.new`, text, { mode: 0o600 })
      await rename(`${file}.new`, file)
    })
  }
}

/** Reads a saved value of the desktop. @returns `otherwise` if there is none, or if it's invalid */
export async function readStored<Value, Otherwise>(
  file: string,
  schema: z.ZodType<Value>,
  otherwise: Otherwise,
): Promise<Value | Otherwise> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return otherwise
  }
}
