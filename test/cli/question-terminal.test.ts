import { describe, expect, it } from 'vitest'
import { createQuestionTerminal } from '../../src/cli/question-terminal.ts'
import { SottoError } from '../../src/shared/errors.ts'

const QUESTION = 'Change the service?\n'

function write({
  logsToStderr,
  isTTY,
  terminal,
}: {
  logsToStderr: boolean
  isTTY: boolean
  terminal: boolean
}) {
  const written = { stderr: '', terminal: '', refused: '' }
  const show = createQuestionTerminal({
    logsToStderr,
    stderr: { isTTY, write: (text: string | Uint8Array) => ((written.stderr += String(text)), true) },
    writeToTerminal: (text) => {
      if (terminal) written.terminal += text
      return terminal
    },
  })
  try {
    show(QUESTION)
  } catch (thrown) {
    written.refused = thrown instanceof SottoError ? thrown.code : String(thrown)
  }
  return written
}

describe('createQuestionTerminal', () => {
  it('writes to standard error when that is a terminal without a log', () => {
    expect(write({ logsToStderr: false, isTTY: true, terminal: true })).toEqual({
      stderr: QUESTION,
      terminal: '',
      refused: '',
    })
  })
  it('writes to the controlling terminal when standard error is redirected', () => {
    expect(write({ logsToStderr: false, isTTY: false, terminal: true })).toEqual({
      stderr: '',
      terminal: QUESTION,
      refused: '',
    })
  })
  it('writes to standard error when there is no terminal, as in a container', () => {
    expect(write({ logsToStderr: false, isTTY: false, terminal: false })).toEqual({
      stderr: QUESTION,
      terminal: '',
      refused: '',
    })
  })
  it.each([true, false])(
    'never writes to a standard error that carries the log (a terminal: %s)',
    (isTTY) => {
      expect(write({ logsToStderr: true, isTTY, terminal: true })).toEqual({
        stderr: '',
        terminal: QUESTION,
        refused: '',
      })
      expect(write({ logsToStderr: true, isTTY, terminal: false })).toEqual({
        stderr: '',
        terminal: '',
        refused: 'confirm/no-terminal',
      })
    },
  )
})
