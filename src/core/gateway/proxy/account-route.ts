import type { FastifyInstance } from 'fastify'
import { quotedList } from '../../../shared/allowed-values.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { HistoryInput, HistoryPage, QueryRecord } from '../service/account/read/history.ts'
import { callerGone } from './caller.ts'
import { requireGrant } from './key-limits.ts'
import { withJsonBody } from './read-body.ts'
import { queryOf } from './request-heads.ts'
import { limitsOf, PREFIXES, type RouteContext } from './route-context.ts'

/** The two account reads that a key can be permitted to use. */
export interface AccountReads {
  /** Pico-USD. */
  balance(signal: AbortSignal): Promise<bigint>
  history(input: HistoryInput, signal: AbortSignal): Promise<HistoryPage>
}

/** Paths that manage keys, money and accounts (specification, Account funding, `Automatic topup`, API keys). */
const MANAGED = ['/accounts/create', '/topup/*', '/nwc-auto-topup', '/nwc-auto-topup/*', '/keys', '/keys/*']
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Registers the account's paths. `POST /credits/balance` and `GET /queries/history` answer a key with that
 * permission, in the specification's shapes. All others are refused, because a tool doesn't manage the
 * account.
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

/** Refuses a request that names an account. Sotto uses its own, so the answer would be about another one. */
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

/** Reports a refused filter by the name that the tool sent. */
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

/**
 * Reads the filters by the specification's names.
 * @throws {SottoError} proxy/invalid-request – another name
 */
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

/**
 * Returns the number that is nearest to an amount of pico-USD. JSON writes it with the fewest digits that
 * restore it.
 */
function dollars(picoUsd: bigint): number {
  const digits = (picoUsd < 0n ? -picoUsd : picoUsd).toString().padStart(13, '0')
  return Number(`${picoUsd < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`)
}
