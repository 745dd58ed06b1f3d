import { randomUUID } from 'node:crypto'
import { CORE, type Confirm, type Question } from '../shared/confirm.ts'
import { ConfirmBrake } from '../shared/confirm-brake.ts'
import { renderEnglish } from '../shared/localized-text.ts'
import { createConfirmationCode, type ConfirmationCode } from './confirmation-code.ts'

const TIMEOUT_MS = 5 * 60_000
const MAX_WRONG_CODES = 3

interface PendingQuestion extends Question {
  readonly id: string
  readonly code: ConfirmationCode
  wrongCodes: number
  readonly settle: (confirmed: boolean) => void
}

/**
 * Asks in the terminal that runs Sotto, which no page can read: it shows a code, and the caller that asked enters it.
 *
 * Each asker has one open question: another one takes its place, and a code is good for its own question only, once. Three wrong
 * codes, or five minutes, end a question. Only its asker sees a question and answers it; those of CORE every caller does.
 * @param show writes to the terminal; throws confirm/no-terminal if there is none
 * @param now ms of a clock that never steps back
 */
export function createTerminalConfirm(
  show: (text: string) => void,
  now: () => number = () => performance.now(),
): Confirm {
  const brake = new ConfirmBrake(now)
  const open = new Map<string, PendingQuestion>()
  const pendingFor = (from: string): PendingQuestion[] =>
    [open.get(from), open.get(CORE)].filter((question) => question !== undefined)

  function end(question: PendingQuestion, confirmed: boolean): void {
    if (open.get(question.from) === question) open.delete(question.from)
    question.settle(confirmed)
  }

  return {
    async ask({ says, from }, signal) {
      if (signal?.aborted) return false
      const uncount = brake.countQuestion(from)
      const code = createConfirmationCode()
      try {
        show(
          `\n${renderEnglish(says)}\nTo allow it, enter this code${from === CORE ? ' in the window' : ''}: ${code.shown}\n`,
        )
      } catch (thrown) {
        uncount()
        throw thrown
      }
      const former = open.get(from)
      if (former) end(former, false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const question: PendingQuestion = { id: randomUUID(), says, from, code, wrongCodes: 0, settle: resolve }
      open.set(from, question)
      const refuse = (): void => end(question, false)
      const timer = setTimeout(refuse, TIMEOUT_MS).unref()
      signal?.addEventListener('abort', refuse, { once: true })
      try {
        const confirmed = await promise
        if (confirmed) uncount()
        return confirmed
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', refuse)
      }
    },
    pending(from) {
      const [question] = pendingFor(from)
      return question ? { id: question.id, says: question.says } : null
    },
    answer(from, id, code) {
      const question = pendingFor(from).find((each) => each.id === id)
      if (!question) return { accepted: false }
      brake.requireNoWait(from)
      if (question.code.matches(code)) {
        brake.noteRight(from)
        end(question, true)
        return { accepted: true }
      }
      const retryAfterSeconds = brake.noteWrong(from)
      question.wrongCodes++
      if (question.wrongCodes === MAX_WRONG_CODES) end(question, false)
      tryToShow(
        `A wrong code was entered. Codes are accepted again in ${String(retryAfterSeconds)} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.\n`,
      )
      return { accepted: false, retryAfterSeconds }
    },
  }

  function tryToShow(text: string): void {
    try {
      show(text)
    } catch {
      // The terminal was closed: the answer is wrong all the same.
    }
  }
}
