import { rename, writeFile } from 'node:fs/promises'
import { inTurn } from './in-turn.ts'

/**
 * Keeps one value of the desktop's own in a file that its owner alone reads: whole or as it was, and of values that follow one another
 * the last. What it returns rejects where the file cannot be written.
 */
export function keepInFile(file: string): (value: unknown) => Promise<void> {
  const turn = inTurn()
  return (value) => {
    const text = JSON.stringify(value)
    return turn(async () => {
      await writeFile(`${file}.new`, text, { mode: 0o600 })
      await rename(`${file}.new`, file)
    })
  }
}
