import { z } from 'zod'
import { SottoError } from '../../../../../shared/errors.ts'
import { msg } from '../../../../../shared/localized-text.ts'
import { checked, jsonAnswer, perform, type CallOptions, type Service } from '../../http/perform.ts'
import { count, fitting, flag, lenient, moment, text, usd } from '../../http/wire.ts'
import { credentialSchema } from '../create-account.ts'

const MAX_HISTORY_BYTES = 4 * 1024 * 1024

/** One query (specification, Query record). */
export interface QueryRecord {
  /** Unix ms. */
  readonly at: number
  readonly model: string
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Pico-USD. */
  readonly cost?: bigint | undefined
  readonly type?: string | undefined
  readonly source?: string | undefined
  readonly apiKeyId?: string | undefined
  /** Web search was used. */
  readonly online?: boolean | undefined
  readonly freeModel?: boolean | undefined
  /** Such as `upstream_error`: observed, not specified. */
  readonly errorCode?: string | undefined
}

export interface HistoryPage {
  readonly records: readonly QueryRecord[]
  /** The number of unreadable entries in the answer. */
  readonly unreadable: number
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly pages: number
}

const day = z.iso.date()
const inputSchema = z.object({
  /** With the key: the queries of all keys of the account. With the credit ID: only those of this key. */
  allKeys: z.boolean().optional(),
  apiKey: credentialSchema.optional(),
  /** `YYYY-MM-DD`; both days are included. */
  from: day.optional(),
  until: day.optional(),
  model: z.string().min(1).max(200).optional(),
  source: z.string().min(1).max(100).optional(),
  type: z.string().min(1).max(100).optional(),
  page: z.int().min(1).default(1),
  pageSize: z.int().min(1).max(100).default(20),
})
export type HistoryInput = z.input<typeof inputSchema>

const recordSchema = z
  .object({
    timestamp: moment,
    model: text(300),
    input_count: lenient(count),
    output_count: lenient(count),
    price_in_usd: lenient(usd),
    query_type: lenient(text(100)),
    query_source: lenient(text(100)),
    api_key_id: lenient(text(100)),
    isOnline: lenient(flag),
    isFreeModel: lenient(flag),
    error_code: lenient(text(100)),
  })
  .transform((record): QueryRecord => ({
    at: record.timestamp,
    model: record.model,
    inputTokens: record.input_count,
    outputTokens: record.output_count,
    cost: record.price_in_usd,
    type: record.query_type,
    source: record.query_source,
    apiKeyId: record.api_key_id,
    online: record.isOnline,
    freeModel: record.isFreeModel,
    errorCode: record.error_code,
  }))

const pageSchema = z
  .object({
    data: fitting(recordSchema, 1000),
    pagination: z.object({ page: count, page_count: count, total: count, total_pages: count }),
  })
  .transform(({ data, pagination }): HistoryPage => ({
    records: data.entries,
    unreadable: data.unreadable,
    page: pagination.page,
    pageSize: pagination.page_count,
    total: pagination.total,
    pages: pagination.total_pages,
  }))

/**
 * Reads one page: `GET /queries/history` (specification, Query history), with the key if there is one.
 * Otherwise the credit ID is in the query, as the specification requires, and so in the URL.
 * @throws {SottoError} request/invalid – before anything is sent; service/no-credit-id – a filter by one key
 * without a credit ID; service/…
 */
export async function readHistory(
  service: Service,
  input: HistoryInput = {},
  options: CallOptions = {},
): Promise<HistoryPage> {
  const { apiKey, creditId } = service.access()
  if (input.apiKey !== undefined && creditId === undefined) throw new SottoError('service/no-credit-id')
  // Only a request with the credit ID may filter by one key.
  const asAccount = creditId !== undefined && (apiKey === undefined || input.apiKey !== undefined)
  const { from, until, model, source, type, page, pageSize, ...keys } = checked(inputSchema, input)
  return perform(
    service,
    {
      method: 'GET',
      target: {
        path: '/queries/history',
        query: {
          ...(asAccount ? { credit_id: creditId, api_key: keys.apiKey } : { all_keys: keys.allKeys }),
          start_date: from,
          end_date: until,
          model,
          query_source: source,
          query_type: type,
          page,
          page_count: pageSize,
        },
      },
      auth: asAccount ? 'none' : 'key',
      repeatable: true,
      read: jsonAnswer(pageSchema, msg('The response isn’t a page of history.'), MAX_HISTORY_BYTES),
    },
    options,
  )
}
