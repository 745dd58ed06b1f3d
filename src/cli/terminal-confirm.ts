import { randomInt, randomUUID } from 'node:crypto'
import type { Confirm } from '../shared/confirm.ts'
import { inEnglish, type Said } from '../shared/say.ts'

const PATIENCE_MS = 5 * 60_000
const TRIES = 3

interface Question {
  readonly id: string
  readonly says: Said
  readonly code: string
  triesLeft: number
  readonly settle: (confirmed: boolean) => void
}

/**
 * Asks where the window's page cannot reach: a code is shown in the terminal that runs Sotto and typed in the window.
 * One question at a time; three wrong codes, or five minutes, refuse it.
 */
export function createTerminalConfirm(print: (line: string) => void): Confirm {
  let question: Question | null = null

  function settle(asked: Question, confirmed: boolean): void {
    if (question === asked) question = null
    asked.settle(confirmed)
  }

  return {
    ask({ says }, givenUp) {
      if (question) settle(question, false)
      if (givenUp?.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const code = String(randomInt(100_000, 1_000_000))
        const asked: Question = { id: randomUUID(), says, code, triesLeft: TRIES, settle: resolve }
        question = asked
        setTimeout(() => settle(asked, false), PATIENCE_MS).unref()
        givenUp?.addEventListener('abort', () => settle(asked, false), { once: true })
        print(`\n${inEnglish(says)}\nTo allow it, type this code in the window: ${code}\n`)
      })
    },
    pending: () => question && { id: question.id, says: question.says },
    answer(id, code) {
      if (question?.id !== id) return false
      if (code === question.code) {
        settle(question, true)
        return true
      }
      question.triesLeft--
      if (question.triesLeft === 0) settle(question, false)
      return false
    },
  }
}
