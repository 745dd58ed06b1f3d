import { SottoError } from '../../../shared/errors.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import type { Routing } from '../../../shared/routing.ts'
import { msg } from '../../../shared/localized-text.ts'
import { isJsonObject, type JsonObject } from '../../../shared/strict-json.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import {
  AnswerStreamReader,
  MAX_ANSWER_BYTES,
  readWholeAnswer,
  type AnsweredModel,
  type AnswerPiece,
  type AnswerReaderOptions,
  type WholeAnswer,
} from '../answer/index.ts'
import { chatCost } from '../pricing/index.ts'
import { searchesWeb } from './estimate.ts'
import type { PlaintextModel, SealedModel } from './model-listing.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { RelayAnswer } from './relay.ts'

/** Whether the caller requested the usage event of a stream. */
function asksForUsage(body: JsonObject): boolean {
  const options = body['stream_options']
  return isJsonObject(options) && options['include_usage'] === true
}

/**
 * Adds a request for the token counts to a streamed request, because without them its receipt would have no
 * cost.
 */
export function withUsage(body: JsonObject): JsonObject {
  if (body['stream'] !== true || asksForUsage(body)) return body
  const options = body['stream_options']
  return { ...body, stream_options: { ...(isJsonObject(options) ? options : {}), include_usage: true } }
}

/**
 * The facts of a request that its answer needs. They don't refer to the request, so that its body isn't in
 * memory while the answer arrives.
 */
export interface AskedOf {
  /** Whether the caller requested the usage event of a stream. */
  readonly usage: boolean
  readonly webSearch: boolean
  /** `n`. */
  readonly choices: number
  /** The name that the caller sent in place of the model's ID. The answer has it too. */
  readonly alias: string | undefined
}

/** Returns the facts of the request with this body. */
export function askedOf(body: JsonObject, alias?: string): AskedOf {
  return {
    usage: asksForUsage(body),
    webSearch: searchesWeb(body),
    choices: typeof body['n'] === 'number' && body['n'] > 1 ? body['n'] : 1,
    alias,
  }
}

/** A 2xx answer, as plaintext. */
export interface UpstreamAnswer {
  readonly contentType: string | null
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the exchange. Needed if the body is never iterated. */
  close(): void
  /** Called when the body has ended. @returns pico-USD, if the headers or trailers state the cost */
  cost(): bigint | undefined
  /** Receives a stream's bytes as they arrive. */
  readonly onChunk?: (chunk: Uint8Array) => void
  /** The facts that are known when the answer has ended. */
  received(): { bytesReceived: number; responseDigest: string; routing?: Routing }
  /** The code for an answer that was cut off. */
  readonly cutOff: 'channel/response-truncated' | 'service/interrupted'
}

/**
 * Reads an answer once, passes its events on and closes its receipt. EHBP can't tell a cut between frames
 * from an end (SPEC 6.2.1), so the content of an answer must show that it's complete: see AnswerStreamReader;
 * otherwise complete JSON. JSON is stored until it's complete, at most 64 MiB.
 * @throws {SottoError} service/response-invalid – another content type, an unreadable form, or more than 64
 * MiB; `cutOff` – incomplete JSON; the error that the answer contains; the errors of the body. Once a stream
 * has begun, these end its body, after its receipt is written
 */
export async function deliver(
  answer: UpstreamAnswer,
  privacy: 'sealed' | 'relayed' | 'forwarded',
  model: SealedModel | PlaintextModel,
  facts: AskedOf,
  draft: ReceiptDraft,
): Promise<RelayAnswer> {
  const common = { privacy, receiptId: draft.id, model: model.listed.id, receipt: () => draft.written }
  const answeredModel: AnsweredModel = { id: model.listed.id, alias: facts.alias }
  const mediaType = answer.contentType?.split(';', 1)[0]?.trim().toLowerCase()
  const complete: Complete = (usage, stated) =>
    draft.complete({
      usage,
      stated: stated ?? answer.cost(),
      listed: usage ? chatCost(model.listed, usage, facts) : null,
    })
  if (mediaType === 'text/event-stream') {
    draft.time.answered()
    return {
      ...common,
      contentType: mediaType,
      timing: draft.time.read(),
      body: streamed(answer, { ...facts, model: answeredModel }, draft, complete),
    }
  }
  if (mediaType !== 'application/json') {
    answer.close()
    throw new SottoError('service/response-invalid', {
      detail: msg('The response is neither JSON nor an event stream.'),
    })
  }
  const whole = await wholeAnswer(answer, answeredModel, draft)
  return {
    ...common,
    contentType: mediaType,
    timing: draft.time.read(),
    body: deliverWhole(whole, () => {
      draft.know(answer.received())
      complete(whole.usage, whole.cost)
    }),
  }
}

type Complete = (usage: TokenUsage | undefined, stated: bigint | undefined) => void

/** Yields a complete answer first, and then writes its receipt. */
export async function* deliverWhole<Whole extends AnswerPiece | Uint8Array>(
  whole: Whole,
  complete: () => void,
): AsyncGenerator<Awaited<Whole>, void> {
  try {
    yield await Promise.resolve(whole)
  } finally {
    complete()
  }
}

async function* streamed(
  answer: UpstreamAnswer,
  options: AnswerReaderOptions,
  draft: ReceiptDraft,
  complete: Complete,
): AsyncGenerator<AnswerPiece, void> {
  const reader = new AnswerStreamReader(options)
  /**
   * Writes the receipt. It's complete if the answer is, regardless of the connection or the reader after
   * that.
   */
  const close = (failure: SottoError): void => {
    draft.know({
      ...answer.received(),
      ...(reader.usage && { usage: reader.usage }),
      ...(reader.complete && !reader.done && { withoutEndMark: true }),
    })
    if (reader.complete) complete(reader.usage, reader.cost)
    else draft.fail(failure)
  }
  let failure = new SottoError(answer.cutOff)
  try {
    try {
      for await (const chunk of answer.body) {
        draft.firstByte()
        answer.onChunk?.(chunk)
        const piece = reader.push(chunk)
        if (piece.events.some((event) => event !== 'waiting')) draft.delivering()
        if (piece.text !== '' || piece.events.length > 0) yield piece
        if (reader.failure) break
      }
    } catch (thrown) {
      failure =
        thrown instanceof SottoError ? thrown : new SottoError('service/interrupted', { cause: thrown })
    }
    const rest = reader.end()
    if (rest.text !== '' || rest.done) yield rest
    close(reader.failure ?? failure)
    if (!reader.complete) throw draft.named(reader.failure ?? failure)
  } finally {
    // The caller stopped reading.
    if (!draft.written) close(new SottoError('request/canceled'))
  }
}

async function wholeAnswer(
  answer: UpstreamAnswer,
  model: AnsweredModel,
  draft: ReceiptDraft,
): Promise<WholeAnswer> {
  const json = await readWholeBody(answer, draft, MAX_ANSWER_BYTES)
  return readWholeAnswer(new TextDecoder().decode(json), answer.cutOff, model)
}

/**
 * Reads a whole answer, and notes on the receipt when it began and ended.
 * @throws {SottoError} service/response-invalid – more than `limit` bytes; and the errors of the body
 */
export async function readWholeBody(
  answer: UpstreamAnswer,
  draft: ReceiptDraft,
  limit: number,
): Promise<Uint8Array> {
  const bytes = await readBytes(answer.body, limit, undefined, () => draft.firstByte())
  draft.time.answered()
  return bytes
}
