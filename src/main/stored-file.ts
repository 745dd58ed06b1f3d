import { rename, writeFile } from 'node:fs/promises'

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
