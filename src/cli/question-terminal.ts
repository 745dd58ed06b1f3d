import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { SottoError } from '../shared/errors.ts'

/**
 * The terminal that the process was started from, whatever its streams are redirected to. POSIX has it by
 * this name.
 */
const CONTROLLING_TERMINAL = '/dev/tty'

interface QuestionTerminalParts {
  /** Whether the log, lines of JSON, goes to standard error. */
  readonly logsToStderr: boolean
  readonly stderr?: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>
  /** @returns whether the text was written to a terminal */
  readonly writeToTerminal?: (text: string) => boolean
}

/**
 * Writes confirmation questions, with their codes, where a person reads them and no JSON log collects them:
 * to standard error if that is a terminal and carries no log, otherwise to the controlling terminal. Without
 * a terminal, as in a container or a service, they go to standard error, unless it carries the log.
 * @returns writes one text; throws {SottoError} confirm/no-terminal – standard error carries the log, and
 * there is no terminal
 */
export function createQuestionTerminal({
  logsToStderr,
  stderr = process.stderr,
  writeToTerminal = toControllingTerminal,
}: QuestionTerminalParts): (text: string) => void {
  return (text) => {
    if (stderr.isTTY && !logsToStderr) stderr.write(text)
    else if (writeToTerminal(text)) return
    else if (logsToStderr) throw new SottoError('confirm/no-terminal')
    else stderr.write(text)
  }
}

/** Opens the controlling terminal to read answers, although standard input is a file. Null without one. */
export function createTerminalInput(): ReadStream | null {
  const terminal = terminalDescriptor('r')
  return terminal === null ? null : new ReadStream(terminal)
}

function toControllingTerminal(text: string): boolean {
  const terminal = terminalDescriptor('w')
  if (terminal === null) return false
  try {
    writeSync(terminal, text)
    return true
  } catch {
    return false
  } finally {
    closeSync(terminal)
  }
}

/** Always null on Windows, which has no terminal name that Node opens reliably. */
function terminalDescriptor(flags: 'r' | 'w'): number | null {
  if (process.platform === 'win32') return null
  try {
    return openSync(CONTROLLING_TERMINAL, flags)
  } catch {
    return null
  }
}
