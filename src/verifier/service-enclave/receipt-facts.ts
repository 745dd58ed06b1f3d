import { isJsonObject, type JsonObject } from '../strict-json.ts'
import type { Routing } from '../routing.ts'
import { matchIn, textIn } from '../json-members.ts'
import { parseUnambiguousJson } from '../v3/exact-json.ts'
import { legibleText } from '../text.ts'
import { MAX_RECEIPT_BYTES } from './limits.ts'

/** The members of a routing receipt of version 2, unchanged. Texts can contain control characters. */
export interface ReceiptFacts {
  readonly requestId: string | null
  readonly requestIdSource: string | null
  /** Unix ms, by the enclave's clock. */
  readonly issuedAt: number
  readonly requestedModel: string
  readonly upstream: string
  readonly provider: string | undefined
  readonly upstreamModel: string | undefined
  readonly servedModel: string | undefined
  /** The upstream decides which provider answers. */
  readonly upstreamSelects: boolean
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const MAX_NAME = 200
const OPENROUTER = 'openrouter.ai'

/**
 * Reads a routing receipt. Members that aren't needed are ignored.
 * @param text hostile
 * @returns the refusal if it isn't a receipt of version 2
 */
export function readReceipt(
  text: string,
): ReceiptFacts | Extract<Routing['refusal'], 'malformed' | 'version'> {
  // UTF-8 has at least one byte for each UTF-16 unit, so the first comparison keeps a long text from being encoded.
  if (text.length > MAX_RECEIPT_BYTES || Buffer.byteLength(text) > MAX_RECEIPT_BYTES) return 'malformed'
  try {
    const receipt = parseUnambiguousJson(Buffer.from(text))
    if (!isJsonObject(receipt)) return 'malformed'
    const { v } = receipt
    if (typeof v !== 'number') return 'malformed'
    // Version 1 names neither a request nor a time, so it fits every request for its model.
    return v === 2 ? readMembers(receipt) : 'version'
  } catch {
    return 'malformed'
  }
}

function readMembers(receipt: JsonObject): ReceiptFacts {
  const upstream = matchIn(receipt, 'upstream', HOST)
  const selects = receipt['upstream_selects_provider'] ?? false
  if (typeof selects !== 'boolean') throw new Error('a flag of another type')
  return {
    requestId: nullable(receipt, 'request_id') ?? null,
    requestIdSource: nullable(receipt, 'request_id_source') ?? null,
    issuedAt: readTime(receipt),
    requestedModel: textIn(receipt, 'requested_model', MAX_NAME),
    upstream,
    provider: nullable(receipt, 'provider'),
    upstreamModel: nullable(receipt, 'upstream_model'),
    servedModel: nullable(receipt, 'served_model'),
    // OpenRouter always does.
    upstreamSelects: selects || upstream === OPENROUTER || receipt['route'] === 'openrouter',
  }
}

function nullable(receipt: JsonObject, name: string): string | undefined {
  return receipt[name] === undefined || receipt[name] === null ? undefined : textIn(receipt, name, MAX_NAME)
}

function readTime(receipt: JsonObject): number {
  const time = Date.parse(matchIn(receipt, 'issued_at', TIME))
  if (Number.isNaN(time)) throw new Error('a time that isn’t of the calendar')
  return time
}

/** The facts as a person can see them. */
export function describeReceipt({
  upstream,
  provider,
  upstreamModel,
  servedModel,
}: ReceiptFacts): Pick<Routing, 'upstream' | 'provider' | 'upstreamModel' | 'servedModel'> {
  return {
    upstream: legibleText(upstream),
    ...(provider !== undefined && { provider: legibleText(provider) }),
    ...(upstreamModel !== undefined && { upstreamModel: legibleText(upstreamModel) }),
    ...(servedModel !== undefined && { servedModel: legibleText(servedModel) }),
  }
}
