import type { ServerResponse } from 'node:http'
import type { AnswerWriter } from '../dialect/dialect.ts'
import { asSottoError, failureOfAbort, SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { JsonObject } from '../../../shared/strict-json.ts'
import type { ChatStep } from '../answer/index.ts'
import type { RelayAnswer } from '../relay/index.ts'
import { drained } from './caller.ts'
import type { StreamedBody } from './streamed-body.ts'

/**
 * Returns the answer in one piece, with its receipt.
 * @throws the errors of its body; {SottoError} service/response-invalid – the answer is streamed
 */
export async function wholeAnswer(answer: RelayAnswer, writer: AnswerWriter): Promise<JsonObject> {
  try {
    return writer.whole(await wholeStep(answer))
  } catch (thrown) {
    const failure = withReceipt(thrown, answer)
    writer.fail(failure)
    throw failure
  }
}

/**
 * Writes the answer's events as they come, and a failure inside the stream in the caller's dialect.
 *
 * @param gone aborts when the caller went away or the request was canceled
 */
export async function streamAnswer(
  answer: RelayAnswer,
  writer: AnswerWriter,
  to: { response: ServerResponse; events: StreamedBody },
  gone: AbortSignal,
): Promise<void> {
  const { response, events } = to
  try {
    for await (const piece of answer.body) {
      if (!events.write(writer.push(piece))) await drained(response, gone)
      if (gone.aborted) throw failureOfAbort(gone)
    }
    events.end()
  } catch (thrown) {
    // The writer ends even if its caller has disconnected, because it may cache the answer.
    const failed = writer.fail(withReceipt(gone.aborted ? failureOfAbort(gone) : thrown, answer))
    if (!response.destroyed) events.end(failed)
  }
}

/** Returns the only step of an answer in one piece. */
async function wholeStep({ contentType, body }: RelayAnswer): Promise<ChatStep> {
  let step: ChatStep | undefined
  for await (const {
    events: [event],
  } of body) {
    if (contentType !== 'application/json')
      throw new SottoError('service/response-invalid', {
        detail: msg('The service streamed a response that shouldn’t be streamed.'),
      })
    if (event !== 'waiting') step ??= event
  }
  if (!step) throw new SottoError('service/interrupted')
  return step
}

/** Adds the receipt to the failure of an answer. */
export function withReceipt(
  thrown: unknown,
  { receiptId, privacy }: Pick<RelayAnswer, 'receiptId' | 'privacy'>,
): SottoError {
  const failure = asSottoError(thrown)
  return new SottoError(failure.code, {
    receiptId,
    privacy,
    ...failure.details,
    cause: failure.details.cause ?? failure.cause,
  })
}
