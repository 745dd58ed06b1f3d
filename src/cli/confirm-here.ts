import { createInterface } from 'node:readline/promises'
import { tryAgainIn } from '../shared/confirm.ts'
import { SottoError } from '../shared/errors.ts'
import { renderEnglish } from '../shared/localized-text.ts'
import { terminalSafe } from './chat.ts'
import { failureOf, wordsOf, type ContractClient } from './client.ts'

const LOOK_EVERY_MS = 300
/** As much as the contract takes. */
const MAX_CODE = 32

interface ConfirmHereOptions {
  /** Gives the work up too. */
  readonly outer?: AbortSignal
  /** Told before each question: what stands in the last line would be drawn over it. */
  readonly onQuestion?: () => void
}

/**
 * Does what may have to be confirmed with the code that the terminal which runs Sotto shows. Where somebody sits at this
 * one, it is asked for here; otherwise the work waits for the desktop's dialog, or until the question has run out.
 * Throws what the work throws, and confirm/refused where Ctrl-C or Ctrl-D is the answer: the work is then given up.
 */
export async function confirmHere<T>(
  client: ContractClient,
  work: (signal: AbortSignal) => Promise<T>,
  { outer, onQuestion }: ConfirmHereOptions = {},
): Promise<T> {
  const settled = new AbortController()
  const refused = new AbortController()
  const done = work(outer ? AbortSignal.any([outer, refused.signal]) : refused.signal).finally(() =>
    settled.abort(),
  )
  // It is awaited at the end; until then its failure has a listener.
  const quiet = done.catch(() => undefined)
  const shownQuestions = new Set<string>()
  for (;;) {
    await Promise.race([quiet, pause()])
    if (settled.signal.aborted) return done
    const question = await client.confirmations.pending()
    if (!question) continue
    onQuestion?.()
    if (!shownQuestions.has(question.id))
      process.stderr.write(`Confirm: ${terminalSafe(renderEnglish(question.says))}\n`)
    shownQuestions.add(question.id)
    if (!process.stdin.isTTY || (await answer(client, question.id, settled.signal))) continue
    refused.abort()
    return done.catch((cause: unknown) => {
      throw new SottoError('confirm/refused', { cause })
    })
  }
}

/** Until it is answered here, or otherwise. False where the answer is no. */
async function answer(client: ContractClient, id: string, settled: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const code = (
      await terminal.question('Code from the terminal that runs Sotto: ', { signal: settled })
    ).trim()
    if (code !== '') await enter(client, id, code)
    return true
  } catch (failure) {
    // Settled elsewhere; or Ctrl-C or Ctrl-D, which readline takes for itself while it reads.
    if (!(failure instanceof Error && failure.name === 'AbortError')) throw failure
    process.stderr.write('\n')
    return settled.aborted
  } finally {
    terminal.close()
  }
}

/** Enters one code, and says why it was not accepted. */
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

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}
