import type { FastifyInstance } from 'fastify'
import { quotedList } from '../../../shared/allowed-values.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { HistoryInput, HistoryPage, QueryRecord } from '../service/account/read/history.ts'
import { callerGone } from './caller.ts'
import { requireGrant } from './key-limits.ts'
import { withJsonBody } from './read-body.ts'
import { queryOf } from './request-heads.ts'
import { limitsOf, PREFIXES, type RouteContext } from './route-context.ts'

/** What stands behind the two paths of the account that a key can be granted. */
export interface AccountReads {
  /** Pico-USD. */
  balance(signal: AbortSignal): Promise<bigint>
  history(input: HistoryInput, signal: AbortSignal): Promise<HistoryPage>
}

/** Keys, money and accounts (specification, Account funding, Automatic topup, API keys): whatever is asked there. */
const MANAGED = ['/accounts/create', '/topup/*', '/nwc-auto-topup', '/nwc-auto-topup/*', '/keys', '/keys/*']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * The account's paths: `POST /credits/balance` and `GET /queries/history` for a key that was granted them, in the
 * specification's shapes; all others are refused, since a tool does not manage the account.
 */
export function registerAccount(server: FastifyInstance, { backend, bodies }: RouteContext): void {
  for (const prefix of PREFIXES) {
    for (const url of MANAGED) {
      server.route({
        method: METHODS,
        url: `${prefix}${url}`,
        config: { accepts: 'anything' },
        handler: () => {
          throw new SottoError('proxy/account-path')
        },
      })
    }
    server.post(`${prefix}/credits/balance`, { config: { accepts: 'anything' } }, async (request, reply) => {
      requireGrant(limitsOf(request), 'balance')
      await withJsonBody(request.raw, bodies, refuseCreditId, {})
      return { balance: dollars(await backend().account.balance(callerGone(request.raw, reply.raw))) }
    })
    server.get(`${prefix}/queries/history`, async (request, reply) => {
      requireGrant(limitsOf(request), 'history')
      return toHistory(
        await withWireNames(() =>
          backend().account.history(inputOf(queryOf(request.raw)), callerGone(request.raw, reply.raw)),
        ),
      )
    })
  }
}

/** It is Sotto that knows the account; one that a tool names would be answered for another. */
function refuseCreditId(named: object): void {
  for (const param of ['credit_id', 'api_key']) {
    if (Object.hasOwn(named, param))
      throw new SottoError('proxy/invalid-request', {
        toolDetail: 'Sotto reads the connected account. Remove this.',
        param,
      })
  }
}

/** The specification's name of each filter (specification, Query history). */
const FILTERS = {
  from: 'start_date',
  until: 'end_date',
  source: 'query_source',
  type: 'query_type',
  model: 'model',
  page: 'page',
  pageSize: 'page_count',
  allKeys: 'all_keys',
} as const

/** A refused filter is reported by the name that the tool sent. */
async function withWireNames<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'request/invalid') throw thrown
    const { param } = thrown.details
    throw new SottoError(thrown.code, {
      ...thrown.details,
      ...(isFilter(param) && { param: FILTERS[param] }),
    })
  }
}

function isFilter(param: string | undefined): param is keyof typeof FILTERS {
  return param !== undefined && Object.hasOwn(FILTERS, param)
}

/** By the specification's names. @throws {SottoError} proxy/invalid-request – another name */
function inputOf({
  start_date: from,
  end_date: until,
  query_source: source,
  query_type: type,
  model,
  page,
  page_count: pageSize,
  all_keys: allKeys,
  ...others
}: Record<string, string>): HistoryInput {
  refuseCreditId(others)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new SottoError('proxy/invalid-request', {
      toolDetail: `The history does not have this filter. Its filters are ${quotedList(Object.values(FILTERS))}.`,
      param: unknown.slice(0, 60),
    })
  return {
    from,
    until,
    source,
    type,
    model,
    ...(page !== undefined && { page: Number(page) }),
    ...(pageSize !== undefined && { pageSize: Number(pageSize) }),
    ...(allKeys !== undefined && { allKeys: allKeys === 'true' }),
  }
}

function toHistory({ records, page, pageSize, total, pages }: HistoryPage): object {
  return {
    status: 'success',
    data: records.map(toRecord),
    pagination: { page, page_count: pageSize, total, total_pages: pages },
  }
}

function toRecord({
  at,
  model,
  inputTokens,
  outputTokens,
  cost,
  type,
  source,
  apiKeyId,
  online,
  freeModel,
  errorCode,
}: QueryRecord): object {
  return {
    timestamp: new Date(at).toISOString(),
    model,
    input_count: inputTokens,
    output_count: outputTokens,
    price_in_usd: cost === undefined ? undefined : dollars(cost),
    query_type: type,
    query_source: source,
    api_key_id: apiKeyId,
    isOnline: online,
    isFreeModel: freeModel,
    error_code: errorCode,
  }
}

/** The nearest number to an amount of pico-USD, which JSON then writes as shortly as it can be read back. */
function dollars(picoUsd: bigint): number {
  const digits = (picoUsd < 0n ? -picoUsd : picoUsd).toString().padStart(13, '0')
  return Number(`${picoUsd < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`)
}
