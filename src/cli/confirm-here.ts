import { createInterface } from 'node:readline/promises'
import { tryAgainIn } from '../shared/confirm.ts'
import { SottoError } from '../shared/errors.ts'
import { renderEnglish } from '../shared/localized-text.ts'
import { failureOf, wordsOf, type ContractClient } from './client.ts'
import { terminalSafe } from './format.ts'
import { createTerminalInput } from './question-terminal.ts'
import { sleep } from '../shared/sleep.ts'

const LOOK_EVERY_MS = 300
/** The contract's limit, in characters. */
const MAX_CODE = 32
const NO_TERMINAL =
  'Its code must be typed. Run the command in a terminal, without a redirected standard input.'

interface ConfirmHereOptions {
  /** Also cancels the work. */
  readonly outer?: AbortSignal
  /** Called before each question, because the question would be drawn over the text in the last line. */
  readonly onQuestion?: () => void
}

/**
 * Runs work that may need confirmation: in the desktop's dialog, or with the code that the terminal of the running
 * Sotto shows. This process asks for that code in its terminal, also if its standard input is a file.
 *
 * Throws the work's errors. Throws confirm/refused without a terminal and on Ctrl-C or Ctrl-D, which also cancels the
 * work.
 */
export async function confirmHere<T>(
  client: ContractClient,
  work: (signal: AbortSignal) => Promise<T>,
  { outer, onQuestion }: ConfirmHereOptions = {},
): Promise<T> {
  const settled = new AbortController()
  const refused = new AbortController()
  // Such a question isn't of this work, so a command without a terminal isn't refused because of it.
  const earlier = (await client.confirmations.pending())?.id
  const done = work(outer ? AbortSignal.any([outer, refused.signal]) : refused.signal).finally(() =>
    settled.abort(),
  )
  // Handles a rejection until `done` is returned at the end.
  const quiet = done.catch(() => undefined)
  const shownQuestions = new Set<string>()
  for (;;) {
    await Promise.race([quiet, sleep(LOOK_EVERY_MS)])
    if (settled.signal.aborted) return done
    const question = await client.confirmations.pending()
    if (!question) continue
    onQuestion?.()
    if (!shownQuestions.has(question.id))
      process.stderr.write(`Confirm: ${terminalSafe(renderEnglish(question.says))}\n`)
    shownQuestions.add(question.id)
    const answered = await answer(client, question.id, settled.signal)
    if (answered === null ? question.id === earlier : answered) continue
    refused.abort()
    return done.catch((cause: unknown) => {
      throw new SottoError('confirm/refused', {
        cause,
        ...(answered === null && { toolDetail: NO_TERMINAL }),
      })
    })
  }
}

/**
 * Asks until the question is answered here or elsewhere. Returns false if the person refuses, and null without a
 * terminal.
 */
async function answer(client: ContractClient, id: string, settled: AbortSignal): Promise<boolean | null> {
  const input = process.stdin.isTTY ? process.stdin : createTerminalInput()
  if (!input) return null
  const terminal = createInterface({ input, output: process.stderr })
  try {
    const code = (
      await terminal.question('Code from the terminal that runs Sotto: ', { signal: settled })
    ).trim()
    if (code !== '') await enter(client, id, code)
    return true
  } catch (failure) {
    // The question was answered elsewhere, or the person pressed Ctrl-C or Ctrl-D, which readline handles
    // while it reads.
    if (!(failure instanceof Error && failure.name === 'AbortError')) throw failure
    process.stderr.write('\n')
    return settled.aborted
  } finally {
    terminal.close()
    if (input !== process.stdin) input.destroy()
  }
}

/** Submits a code, and prints why it wasn't accepted. */
async function enter(client: ContractClient, id: string, code: string): Promise<void> {
  try {
    const { accepted, retryAfterSeconds } = await client.confirmations.answer({
      id,
      code: code.slice(0, MAX_CODE),
    })
    if (accepted) return
    process.stderr.write(
      retryAfterSeconds === undefined
        ? 'This request has expired or was answered elsewhere.\n'
        : `Wrong code. ${renderEnglish(tryAgainIn(retryAfterSeconds))}\n`,
    )
  } catch (thrown) {
    const failure = failureOf(thrown)
    if (failure?.code !== 'confirm/too-soon') throw thrown
    process.stderr.write(`${wordsOf(failure)}\n`)
  }
}
