import { createInterface } from 'node:readline/promises'
import { terminalSafe } from '../chat.ts'

/** Asks a yes/no question in the terminal. False if there is no terminal, or if the signal is aborted. */
export async function agreedHere(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || signal.aborted) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test(
      (await terminal.question(`${terminalSafe(question)} [y/N] `, { signal })).trim(),
    )
  } catch (failure) {
    // Ctrl-C at the question, or the end of the input, is a no.
    if (failure instanceof Error && failure.name === 'AbortError') return false
    throw failure
  } finally {
    terminal.close()
  }
}
