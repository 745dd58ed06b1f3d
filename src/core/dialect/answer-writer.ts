import type { SottoError } from '../../shared/errors.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { readCompletion, type ChatStep } from './chat/chat-answer.ts'
import { ChatEventReader, type ChatEventSink } from './chat/chat-events.ts'
import type { AnswerWriter } from './dialect.ts'

/** What one dialect makes of a chat completion: an answer in one piece, or events that it writes step by step. */
export interface DialectWriter extends ChatEventSink {
  whole(step: ChatStep): JsonObject
  fail(failure: SottoError): void
}

/** @param make the dialect's writer, with what takes the text of its events */
export function answerWriter(make: (write: (text: string) => void) => DialectWriter): AnswerWriter {
  /** What was written and not yet handed over. */
  let out = ''
  const writer = make((text) => {
    out += text
  })
  const events = new ChatEventReader(writer)
  function written(): string {
    const text = out
    out = ''
    return text
  }

  return {
    whole: (completion) => writer.whole(readCompletion(completion)),
    atOnce(completion) {
      writer.step(readCompletion(completion))
      writer.finish()
      return written()
    },
    push(bytes) {
      events.read(bytes)
      return written()
    },
    end() {
      events.end()
      return written()
    },
    fail(failure) {
      writer.fail(failure)
      return written()
    },
  }
}
