import type { SQLInputValue } from 'node:sqlite'
import { z } from 'zod'
import { authenticate } from '../credential.ts'
import { accountDialect } from '../dialect.ts'
import { dollars, iso, queryFlag, queryNumber } from '../route/schemas.ts'
import { small, type LedgerDatabase } from '../ledger/database.ts'
import { recordOf, type QueryRecord } from '../ledger/record.ts'
import { json, type Refusal } from '../refusal.ts'
import { bare, publicRoute, type Call, type Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'
import { day } from '../profile.ts'

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })], 'must be an ISO 8601 date')
const filter = z.string().min(1).max(200).optional()

const querySchema = z.looseObject({
  credit_id: z.string().max(100).optional(),
  all_keys: queryFlag,
  api_key: filter.describe('The value of a key, or its _id'),
  start_date: date.optional(),
  end_date: date.optional(),
  model: filter,
  query_source: filter,
  query_type: filter,
  page: queryNumber(1, 1_000_000, 1),
  page_count: queryNumber(1, 100, 20),
})

const recordSchema = z.object({
  timestamp: z.iso.datetime(),
  model: z.string(),
  input_count: z.int(),
  output_count: z.int(),
  price_in_usd: z.number(),
  query_type: z.string(),
  query_source: z.string(),
  api_key_id: z.string().nullable(),
  isOnline: z.boolean(),
  isFreeModel: z.boolean(),
  error_code: z.string().optional(),
})
const answerSchema = z.object({
  status: z.literal('success'),
  data: z.array(recordSchema),
  pagination: z.object({ page: z.int(), page_count: z.int(), total: z.int(), total_pages: z.int() }),
})

type HistoryCall = Call<unknown, z.infer<typeof querySchema>, unknown>

/** The requests and their costs, the newest first. */
export const historyRoutes: readonly Route[] = [
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/queries/history',
    bothForms: true,
    tag: 'History',
    summary: 'List the queries of a key or an account',
    answers: {
      200: { description: 'One page of records', schema: answerSchema },
      400: { description: 'A filter is invalid or not allowed for this credential' },
      401: { description: 'The credit_id or the API key is missing' },
    },
    dialect: accountDialect,
    query: querySchema,
    serve: (context, call) => {
      const scope = scopeOf(context, call)
      if ('refusal' in scope) return scope.refusal
      const { query } = call
      const { page, page_count } = query
      const { records, total } = readHistory(
        context.database,
        {
          ...scope,
          model: query.model,
          source: query.query_source,
          type: query.query_type,
          from: query.start_date === undefined ? undefined : Date.parse(query.start_date),
          before: query.end_date === undefined ? undefined : endOf(query.end_date),
        },
        page,
        page_count,
      )
      return json(200, {
        status: 'success',
        data: records.map(recordJson),
        pagination: { page, page_count, total, total_pages: Math.ceil(total / page_count) },
      })
    },
  }),
]

/**
 * With the account's id: the whole account, or one key of it. With a key: its own requests, or those of all
 * keys.
 */
function scopeOf(
  { ledger }: ServiceContext,
  { query, http, now }: HistoryCall,
): { readonly creditId: string; readonly keyId?: string } | { readonly refusal: Refusal } {
  if (query.credit_id !== undefined) {
    if (query.all_keys) return refused('is valid only with an API key', 'all_keys')
    if (ledger.accounts.balance(query.credit_id) === undefined) return { refusal: accountDialect.missing }
    if (query.api_key === undefined) return { creditId: query.credit_id }
    const key = ledger.keys.findByValue(query.api_key, now) ?? ledger.keys.find(query.api_key, now)
    return key?.creditId === query.credit_id
      ? { creditId: query.credit_id, keyId: key.id }
      : { refusal: accountDialect.refuse(404, 'API key not found') }
  }
  const who = authenticate(http.headers, ['authorization', 'api-key'], accountDialect, ledger, now)
  if ('refusal' in who) return who
  if (query.api_key !== undefined) return refused('is valid only with credit_id', 'api_key')
  const { creditId, keyId } = who.payer
  return query.all_keys || keyId === null ? { creditId } : { creditId, keyId }
}

function refused(message: string, field: string): { readonly refusal: Refusal } {
  return { refusal: accountDialect.refuse(400, message, field) }
}

/** A day ends with its last millisecond; a moment is the last one that counts. */
function endOf(text: string): number {
  return Date.parse(text) + (text.includes('T') ? 1 : day)
}

function recordJson(record: QueryRecord): z.input<typeof recordSchema> {
  return {
    timestamp: iso(record.at),
    model: record.model,
    input_count: record.inputCount,
    output_count: record.outputCount,
    price_in_usd: dollars(record.picoUsd),
    query_type: record.type,
    query_source: record.source,
    api_key_id: record.keyId,
    isOnline: record.online,
    isFreeModel: record.free,
    ...(record.errorCode !== null && { error_code: record.errorCode }),
  }
}

interface HistoryFilter {
  readonly creditId: string
  /** Only what this key asked. */
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly source?: string | undefined
  readonly type?: string | undefined
  /** Unix ms, inclusive. */
  readonly from?: number | undefined
  /** Unix ms, exclusive. */
  readonly before?: number | undefined
}

interface HistoryPage {
  readonly records: readonly QueryRecord[]
  readonly total: number
}

/** The newest first. @param page from 1 */
function readHistory(db: LedgerDatabase, filter: HistoryFilter, page: number, count: number): HistoryPage {
  const conditions: [string, SQLInputValue | undefined][] = [
    ['credit_id = ?', filter.creditId],
    ['key_id = ?', filter.keyId],
    ['model = ?', filter.model],
    ['query_source = ?', filter.source],
    ['query_type = ?', filter.type],
    ['at >= ?', filter.from],
    ['at < ?', filter.before],
  ]
  const present = conditions.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const where = present.map(({ sql }) => sql).join(' AND ')
  const values = present.map(({ value }) => value)
  return db.atomically(() => {
    const counted = db.statement(`SELECT count(*) AS total FROM record WHERE ${where}`).get(...values)
    const rows = db
      .statement(`SELECT * FROM record WHERE ${where} ORDER BY at DESC, id DESC LIMIT ? OFFSET ?`)
      .all(...values, count, (page - 1) * count)
    return { records: rows.map(recordOf), total: counted ? small(counted, 'total') : 0 }
  })
}
