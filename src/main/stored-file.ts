import { rename, writeFile } from 'node:fs/promises'

/** Does one work after the other, in the order in which they are handed over, also behind one that failed. */
export function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = before.then(work)
    before = done.catch(() => undefined)
    return done
  }
}

/**
 * Keeps one value of the desktop's own in a file that its owner alone reads: whole or as it was, and of values that follow one another
 * the last. What it returns rejects where the file cannot be written.
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
