import type { SottoError } from '../../../shared/errors.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { ChatStep } from '../answer/index.ts'
import type { AnswerWriter } from './dialect.ts'

/** Writes a chat completion in another dialect: in one piece, or as events, step by step. */
export interface DialectWriter {
  whole(step: ChatStep): JsonObject
  step(step: ChatStep): void
  /** The service only signaled that it's still working. */
  waiting(): void
  finish(): void
  fail(failure: SottoError): void
}

/** @param make creates the dialect's writer, with a function that receives the text of its events */
export function answerWriter(make: (write: (text: string) => void) => DialectWriter): AnswerWriter {
  /** Written text that hasn't been returned yet. */
  let out = ''
  let finished = false
  const writer = make((text) => {
    out += text
  })
  function written(): string {
    const text = out
    out = ''
    return text
  }

  return {
    whole: (step) => writer.whole(step),
    push({ events, done }) {
      for (const event of events) {
        if (event === 'waiting') writer.waiting()
        else writer.step(event)
      }
      if (done && !finished) {
        finished = true
        writer.finish()
      }
      return written()
    },
    fail(failure) {
      writer.fail(failure)
      return written()
    },
  }
}
