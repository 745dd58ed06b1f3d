import type { Interface } from 'node:readline'

/**
 * Lets the terminal mark where pasted text begins and ends (xterm's bracketed paste mode). readline reports
 * the marks as keys.
 */
const MARK_PASTES = '\u001b[?2004h'
const LEAVE_UNMARKED = '\u001b[?2004l'

/**
 * Yields each typed question, which ends with Enter. Pasted line breaks end no question. Otherwise Sotto
 * would send and pay for each pasted line separately, and the shell would run the lines after an empty one.
 * Ends with the terminal.
 */
export async function* typedQuestions(terminal: Interface): AsyncGenerator<string, void> {
  let pasting = false
  const onKey = (_text: string | undefined, key: { readonly name?: string | undefined }): void => {
    if (key.name === 'paste-start') pasting = true
    if (key.name === 'paste-end') pasting = false
  }
  /** For each pending line, whether it was pasted. */
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
