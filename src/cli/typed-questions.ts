import type { Interface } from 'node:readline'

/** Has a terminal say where what is pasted begins and ends (xterm's bracketed paste mode), which readline tells as keys. */
const MARK_PASTES = '\u001b[?2004h'
const LEAVE_UNMARKED = '\u001b[?2004l'

/**
 * What is typed, each ended by Enter. What is pasted ends nothing, whatever lines it has: it would be asked and paid for line by line, and
 * what stands behind an empty line of it would be left to the shell. Ends with the terminal.
 */
export async function* typedQuestions(terminal: Interface): AsyncGenerator<string, void> {
  let pasting = false
  const onKey = (_text: string | undefined, key: { readonly name?: string | undefined }): void => {
    if (key.name === 'paste-start') pasting = true
    if (key.name === 'paste-end') pasting = false
  }
  /** Of each line on its way, whether it was pasted. */
  const pasted: boolean[] = []
  terminal.on('line', () => pasted.push(pasting))
  process.stdin.on('keypress', onKey)
  if (process.stderr.isTTY) process.stderr.write(MARK_PASTES)
  try {
    let lines: string[] = []
    for await (const line of terminal) {
      lines.push(line)
      if (pasted.shift()) continue
      yield lines.join('\n')
      lines = []
    }
  } finally {
    process.stdin.off('keypress', onKey)
    if (process.stderr.isTTY) process.stderr.write(LEAVE_UNMARKED)
  }
}
