import { z } from 'zod'
import {
  beginsLike,
  CONVERT_PATH,
  documentTypeOf,
  MAX_DOCUMENT_BYTES,
} from '../../../shared/convertible-document.ts'
import { failureOfAbort, SottoError } from '../../../shared/errors.ts'
import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { parseUsd } from '../../../shared/money.ts'
import type { Caller } from '../../../shared/receipt.ts'
import type { MaybeEstimate } from '../pricing/index.ts'
import { bearer } from '../service/http/access.ts'
import { multipartBody } from '../service/http/multipart.ts'
import { readWholeBody, type UpstreamAnswer } from './deliver.ts'
import { keyFingerprint, ReceiptDraft } from './receipt-draft.ts'
import type { RelayOptions } from './relay.ts'
import { beginSealed, sealedAnswer } from './sealed-relay.ts'

/** The subject of the receipt, because the request names no model. */
const SUBJECT = 'document-conversion'
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/** Other members are ignored. A document without a text layer has no `md_content`, or an empty one. */
const answerSchema = z.object({ document: z.object({ md_content: z.string().nullish() }) })

export interface ConversionRequest {
  /** Only its last part is sent, inside the seal. Its extension determines the media type. */
  readonly name: string
  readonly content: Uint8Array
  readonly caller: Caller
  readonly signal: AbortSignal
  /** Called with each stage of the request. */
  readonly onStage?: (stage: 'proving' | 'sealing' | 'sending' | 'waiting') => void
}

export interface Conversion {
  /** Markdown; empty if the document has no text layer. */
  readonly text: string
  readonly receiptId: string
  /** Pico-USD, if the service reported it. */
  readonly cost?: bigint
}

export interface ConvertWay {
  /**
   * Converts a document inside the enclave that a good verdict names. It's never sent unsealed. The service
   * charges each call, even if it finds no text.
   * @throws {SottoError} before anything is sent: document/not-offered, document/kind, document/too-large,
   * policy/missing, and the errors of EnclaveChannel.send; service/… – a status that isn't 2xx;
   * service/response-invalid – another answer, or more than 32 MiB; channel/response-truncated – incomplete
   * JSON
   */
  convert(request: ConversionRequest): Promise<Conversion>
}

/** Creates the conversion of documents. It has no plaintext fallback. */
export function createConvertWay(options: RelayOptions): ConvertWay {
  const { profile, channel } = options

  async function send(request: ConversionRequest, draft: ReceiptDraft): Promise<Conversion> {
    if (!profile.documentConversion) throw new SottoError('document/not-offered')
    if (profile.revision === 'A') throw new SottoError('privacy/revision')
    if (!channel) throw new SottoError('policy/missing')
    const form = await documentForm(request)
    await draft.reserve(options.budgets, estimateOf(profile.documentConversion.priceUsd), {
      isPrivate: true,
      signal: request.signal,
    })
    const access = options.access()
    if (access.apiKey !== undefined) draft.know({ serviceKey: keyFingerprint(access.apiKey) })
    const credentials = bearer(access)
    const response = await channel.send({
      ...beginSealed('sealed', request, draft),
      path: CONVERT_PATH,
      headers: { ...credentials, 'x-query-source': 'api' },
      ...form,
    })
    const answer = await sealedAnswer(response, request)
    const text = await markdownOf(answer, draft)
    const cost = answer.cost()
    draft.know(answer.received())
    draft.complete({ stated: cost })
    return { text, receiptId: draft.id, ...(cost !== undefined && { cost }) }
  }

  return {
    async convert(request) {
      const draft = new ReceiptDraft(options.receipts, {
        at: options.now(),
        caller: request.caller,
        service: profile.kind,
        model: SUBJECT,
        path: CONVERT_PATH,
      })
      try {
        return await send(request, draft)
      } catch (thrown) {
        throw draft.failWith(
          thrown,
          request.signal.aborted ? failureOfAbort(request.signal).code : 'proxy/internal',
        )
      }
    },
  }
}

/** Builds the form that is sealed. Its boundary is random, because it's sent unsealed. */
async function documentForm({
  name,
  content,
}: ConversionRequest): Promise<{ contentType: string; body: Uint8Array }> {
  const type = documentTypeOf(name)
  if (type === undefined || !beginsLike(type, content.subarray(0, 1024)))
    throw new SottoError('document/kind')
  if (content.byteLength > MAX_DOCUMENT_BYTES) throw new SottoError('document/too-large')
  const { contentType, content: pieces } = multipartBody({
    fields: [],
    files: [
      { field: 'files', upload: { name, type, size: content.byteLength, content: toAsyncIterable(content) } },
    ],
  })
  if (typeof pieces === 'string') throw new SottoError('proxy/internal')
  return { contentType, body: await readBytes(pieces, Infinity) }
}

function estimateOf(priceUsd: string | undefined): MaybeEstimate {
  const price = priceUsd === undefined ? null : parseUsd(priceUsd)
  return price === null ? 'unknown' : { least: price, most: price }
}

/** A cut at a frame's end looks like an end (EHBP), so only complete JSON is an answer. */
async function markdownOf(answer: UpstreamAnswer, draft: ReceiptDraft): Promise<string> {
  const json = await readWholeBody(answer, draft, MAX_ANSWER_BYTES)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8').decode(json))
  } catch (cause) {
    throw new SottoError(answer.cutOff, { cause })
  }
  const parsed = answerSchema.safeParse(value)
  if (!parsed.success) throw new SottoError('service/response-invalid')
  const text = parsed.data.document.md_content ?? ''
  return text.trim() === '' ? '' : text
}
