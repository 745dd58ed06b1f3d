import { rename, writeFile } from 'node:fs/promises'

/**
 * Keeps one value of the desktop's own in a file that its owner alone reads: whole or as it was, and of values that follow one another
 * the last. What it returns rejects where the file cannot be written.
 */
export function keepInFile(file: string): (value: unknown) => Promise<void> {
  let before: Promise<void> = Promise.resolve()
  return (value) => {
    const text = JSON.stringify(value)
    const written = before.then(() => writeFile(`${file}.new`, text, { mode: 0o600 })).then(() => rename(`${file}.new`, file))
    before = written.catch(() => undefined)
    return written
  }
}
