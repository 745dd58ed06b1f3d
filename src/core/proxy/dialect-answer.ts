import type { ServerResponse } from 'node:http'
import type { AnswerWriter } from '../dialect/dialect.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import { say } from '../../shared/say.ts'
import type { JsonObject, JsonValue } from '../../shared/strict-json.ts'
import type { RelayAnswer } from '../relay/index.ts'
import { drained } from './caller.ts'
import type { StreamedBody } from './streamed-body.ts'

/** The answer in one piece. Throws what its body throws, and service/response-invalid for one that is streamed, with its receipt. */
export async function wholeAnswer(answer: RelayAnswer, writer: AnswerWriter): Promise<JsonObject> {
  try {
    return writer.whole(await completionOf(answer))
  } catch (thrown) {
    throw named(thrown, answer)
  }
}

/** Writes the answer's events as they come; a failure is told inside the stream, in the caller's dialect. */
export async function streamAnswer(answer: RelayAnswer, writer: AnswerWriter, to: { response: ServerResponse; events: StreamedBody }, gone: AbortSignal): Promise<void> {
  const { response, events } = to
  try {
    for await (const text of eventsOf(answer, writer)) {
      if (!events.write(text)) await drained(response, gone)
      // What is still on its way to it is for nobody.
      if (gone.aborted) break
    }
    events.end()
  } catch (thrown) {
    if (!response.destroyed) events.end(writer.fail(named(thrown, answer)))
  }
}

async function* eventsOf(answer: RelayAnswer, writer: AnswerWriter): AsyncGenerator<string> {
  if (answer.contentType !== 'text/event-stream') {
    yield writer.atOnce(await completionOf(answer))
    return
  }
  for await (const bytes of answer.body) yield writer.push(bytes)
  yield writer.end()
}

async function completionOf({ contentType, body }: RelayAnswer): Promise<JsonValue> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) {
    if (contentType !== 'application/json') throw new SottoError('service/response-invalid', { detail: say('The service streamed a response that shouldn’t be streamed.') })
    chunks.push(chunk)
  }
  // The relay gives whole JSON alone.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- JSON.parse makes exactly these values
  const completion: JsonValue = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return completion
}

function named(thrown: unknown, { receiptId, privacy }: RelayAnswer): SottoError {
  const failure = asSottoError(thrown)
  return new SottoError(failure.code, { receiptId, privacy, ...failure.details, cause: failure.details.cause ?? failure.cause })
}
