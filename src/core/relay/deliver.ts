import { SottoError } from '../../shared/errors.ts'
import { GatheredBytes } from '../../shared/gathered-bytes.ts'
import type { Routing } from '../../shared/routing.ts'
import { say } from '../../shared/say.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import { chatCost } from '../pricing/index.ts'
import { searchesWeb } from './estimate.ts'
import { EventStreamWatch, usageOf } from './event-stream-watch.ts'
import type { OpenModel, SealedModel } from './model-listing.ts'
import type { ReceiptDraft } from './receipt-draft.ts'
import type { RelayAnswer } from './relay.ts'
import { asksForUsage } from './usage-request.ts'

/** An answer that is not streamed is held until it is known to be whole. */
const MAX_JSON_ANSWER_BYTES = 64 * 1024 * 1024

/** What an answer has to know of its request. The request itself is not referred to, so that its body is not kept for as long as the answer takes. */
export interface AskedOf {
  /** The caller asked for the usage event of a stream. */
  readonly usage: boolean
  readonly webSearch: boolean
}

/** @returns what an answer to the request with this body has to know of it */
export function askedOf(body: JsonObject): AskedOf {
  return { usage: asksForUsage(body), webSearch: searchesWeb(body) }
}

/** A 2xx answer, as plaintext. */
export interface UpstreamAnswer {
  readonly contentType: string | null
  readonly body: AsyncIterable<Uint8Array>
  /** Ends the exchange where the body is not begun. */
  close(): void
  /** Sees a stream's bytes as they come. */
  readonly onChunk?: (chunk: Uint8Array) => void
  /** What is known once the answer has ended. */
  received(): { bytesReceived: number; responseDigest: string; routing?: Routing }
  /** What an answer that ends before its end is called on this way. */
  readonly cutOff: 'channel/response-truncated' | 'service/interrupted'
}

/**
 * Hands an answer on and closes its receipt. EHBP cannot tell a cut between frames from an end (SPEC 6.2.1), so an
 * answer counts as whole only by its own marks: `[DONE]` of a stream, complete JSON otherwise. JSON is held until it is whole, 64 MiB at most.
 * Throws service/response-invalid for another content type and for more than that, `cutOff` for JSON that is not whole, and what the body
 * throws; of a stream the last two end its body, and its receipt has been written then.
 */
export async function deliver(answer: UpstreamAnswer, privacy: 'sealed' | 'relayed' | 'forwarded', model: SealedModel | OpenModel, asked: AskedOf, draft: ReceiptDraft): Promise<RelayAnswer> {
  const common = { privacy, receiptId: draft.id, receipt: () => draft.written }
  const mediaType = answer.contentType?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType === 'text/event-stream') {
    draft.time.answered()
    return { ...common, contentType: mediaType, timing: draft.time.read(), body: streamed(answer, model, asked, draft) }
  }
  if (mediaType !== 'application/json') {
    answer.close()
    throw new SottoError('service/response-invalid', { detail: say('The response is neither JSON nor an event stream.') })
  }
  const whole = await wholeJson(answer, draft)
  return { ...common, contentType: mediaType, timing: draft.time.read(), body: held(whole, answer, model, asked, draft) }
}

/** Hands a whole answer on first, and then writes its receipt. */
async function* held(whole: { bytes: Uint8Array; value: unknown }, answer: UpstreamAnswer, model: SealedModel | OpenModel, { webSearch }: AskedOf, draft: ReceiptDraft): AsyncGenerator<Uint8Array, void> {
  try {
    yield await Promise.resolve(whole.bytes)
  } finally {
    draft.know(answer.received())
    const usage = usageOf(whole.value)
    draft.complete(usage, usage ? chatCost(model.listed, usage, { webSearch }) : null)
  }
}

async function* streamed(answer: UpstreamAnswer, model: SealedModel | OpenModel, { usage: asksUsage, webSearch }: AskedOf, draft: ReceiptDraft): AsyncGenerator<Uint8Array, void> {
  const watch = new EventStreamWatch({ dropUsageEvent: !asksUsage })
  /** True where it is whole: it said so, whatever became of the connection, or of the reader, after that. */
  const end = (failure: SottoError): boolean => {
    draft.know({ ...answer.received(), ...(watch.usage && { usage: watch.usage }) })
    if (watch.done) draft.complete(watch.usage, watch.usage ? chatCost(model.listed, watch.usage, { webSearch }) : null)
    else draft.fail(failure)
    return watch.done
  }
  try {
    for await (const chunk of answer.body) {
      draft.firstByte()
      answer.onChunk?.(chunk)
      const events = watch.push(chunk)
      if (events.byteLength > 0) yield events
    }
    const rest = watch.end()
    if (rest.byteLength > 0) yield rest
    const cut = new SottoError(answer.cutOff)
    if (!end(cut)) throw cut
  } catch (thrown) {
    const failure = thrown instanceof SottoError ? thrown : new SottoError('service/interrupted', { cause: thrown })
    if (draft.written || !end(failure)) throw draft.named(failure)
  } finally {
    // The reader stopped in the middle.
    if (!draft.written) end(new SottoError('request/cancelled'))
  }
}

async function wholeJson(answer: UpstreamAnswer, draft: ReceiptDraft): Promise<{ bytes: Uint8Array; value: unknown }> {
  const gathered = new GatheredBytes()
  for await (const chunk of answer.body) {
    draft.firstByte()
    if (gathered.bytes + chunk.byteLength > MAX_JSON_ANSWER_BYTES) throw new SottoError('service/response-invalid', { detail: say('It exceeds the size limit.') })
    gathered.add(chunk)
  }
  draft.time.answered()
  const bytes = gathered.take()
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
    return { bytes, value }
  } catch (cause) {
    throw new SottoError(answer.cutOff, { cause })
  }
}
