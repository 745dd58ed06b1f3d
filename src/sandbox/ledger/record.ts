import type { IncomingHttpHeaders } from 'node:http'
import { integer, small, text, textOrNull, type Row } from './database.ts'

/** `chat_completion` and `api` were observed; the rest follows them. */
type QueryType =
  | 'chat_completion'
  | 'embedding'
  | 'transcription'
  | 'speech'
  | 'image_generation'
  | 'image_edit'
  | 'video_generation'
  | 'data_enrichment'
  | 'document_conversion'

/** Observed: the enclave takes these three. */
const querySources = ['api', 'ui', 'memory'] as const
type QuerySource = (typeof querySources)[number]

/** The source that a request names in `X-Query-Source`. */
export function querySource(headers: IncomingHttpHeaders): QuerySource {
  return querySources.find((source) => source === headers['x-query-source']) ?? 'api'
}

/** The parts of a request that the history shows. */
export interface Query {
  readonly model: string
  readonly type: QueryType
  readonly source: QuerySource
  /** Web search was used. */
  readonly online?: boolean
  readonly free?: boolean
  /** Unix ms. */
  readonly at: number
}

export interface Counts {
  readonly input?: number
  readonly output?: number
}

/** The cost of one request in the ledger. */
export interface QueryRecord {
  readonly id: number
  readonly at: number
  readonly creditId: string | null
  readonly keyId: string | null
  readonly paymentHash: string | null
  readonly model: string
  readonly type: string
  readonly source: string
  readonly inputCount: number
  readonly outputCount: number
  readonly picoUsd: bigint
  readonly online: boolean
  readonly free: boolean
  readonly aborted: boolean
  readonly errorCode: string | null
}

export function recordOf(row: Row): QueryRecord {
  return {
    id: small(row, 'id'),
    at: small(row, 'at'),
    creditId: textOrNull(row, 'credit_id'),
    keyId: textOrNull(row, 'key_id'),
    paymentHash: textOrNull(row, 'payment_hash'),
    model: text(row, 'model'),
    type: text(row, 'query_type'),
    source: text(row, 'query_source'),
    inputCount: small(row, 'input_count'),
    outputCount: small(row, 'output_count'),
    picoUsd: integer(row, 'pico_usd'),
    online: integer(row, 'online') === 1n,
    free: integer(row, 'free') === 1n,
    aborted: integer(row, 'aborted') === 1n,
    errorCode: textOrNull(row, 'error_code'),
  }
}

/**
 * The payer of a request: an account, by one of its keys or by its own id, or one invoice for this request.
 */
export type Payer = AccountPayer | InvoicePayer

export interface AccountPayer {
  readonly kind: 'account'
  readonly creditId: string
  /** Null if the account's own id was used. */
  readonly keyId: string | null
}

export interface InvoicePayer {
  readonly kind: 'invoice'
  /** Hexadecimal. */
  readonly paymentHash: string
}
