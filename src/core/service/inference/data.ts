import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { say } from '../../../shared/say.ts'
import type { JsonObject, JsonValue } from '../../../shared/strict-json.ts'
import { readJson } from '../http/body.ts'
import { jsonAnswer, jsonBody, perform, type CallOptions, type PayableOptions, type Service, type ServiceRequest } from '../http/perform.ts'
import { fitting, lenient, price, text } from '../http/wire.ts'
import { dataEndpoints, type DataEndpointId } from './data-endpoints.ts'

const MAX_CATALOGUE_BYTES = 4 * 1024 * 1024
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const PATIENCE_MS = 3 * 60_000

/** An endpoint as the service lists it. The provider behind a group may go by its own name in the path. */
export interface DataCatalogueEntry {
  /** Below `/v1/data`. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly group?: string | undefined
  /** Pico-USD for each call; absent where none is listed. */
  readonly price?: bigint | undefined
}

/** One segment after another, each of plain characters: nothing climbs out of `/v1/data`. */
const PATH = /^\/(?:api|x)(?:\/[A-Za-z0-9_-]{1,60}){1,6}$/
const PRICE_NAMES = ['price', 'price_usd', 'usd', 'cost', 'cost_usd', 'price_in_usd', 'api_price', 'base_price', 'amount', 'pricing'] as const
const listedPrice = lenient(z.union([price, z.looseObject({}).transform((table) => priceIn(table)).pipe(z.bigint())]))

const entrySchema = z
  .looseObject({
    path: lenient(text(300)), endpoint: lenient(text(300)), url: lenient(text(300)), route: lenient(text(300)),
    method: lenient(z.string().toUpperCase().pipe(z.enum(['GET', 'POST']))),
    name: lenient(text(200)), title: lenient(text(200)), description: lenient(text(2000)),
    group: lenient(text(100)), category: lenient(text(100)), provider: lenient(text(100)),
  })
  .transform((entry, context): DataCatalogueEntry => {
    const path = pathOf(entry.path ?? entry.endpoint ?? entry.route ?? entry.url ?? '')
    if (path === undefined) {
      context.addIssue('no path')
      return z.NEVER
    }
    return {
      path,
      method: entry.method ?? dataEndpoints.find((known) => known.path === path)?.method ?? 'POST',
      name: entry.name ?? entry.title,
      description: entry.description,
      group: entry.group ?? entry.category ?? entry.provider,
      price: priceIn(entry),
    }
  })

/** Below `/v1/data`, however much of the address the listing writes. */
function pathOf(written: string): string | undefined {
  const path = written.replace(/^https?:\/\/[^/]+/, '').replace(/^\/v1\/data/, '')
  return PATH.test(path) ? path : undefined
}

function priceIn(entry: Readonly<Record<string, unknown>>): bigint | undefined {
  const name = PRICE_NAMES.find((candidate) => entry[candidate] !== undefined && entry[candidate] !== null)
  return name === undefined ? undefined : listedPrice.parse(entry[name])
}

const entries = fitting(entrySchema, 1000)
/** The list's own name was not observed: it is the answer, or a member of it. */
const catalogueSchema = z
  .union([entries, z.object({ data: entries }).transform(({ data }) => data), z.object({ endpoints: entries }).transform(({ endpoints }) => endpoints)])
  .transform((list) => list.entries)

/** `GET /v1/data/endpoints` (specification, Data enrichment): no authentication. */
const dataCatalogueRequest: ServiceRequest<DataCatalogueEntry[]> = {
  method: 'GET', target: { path: '/v1/data/endpoints' }, auth: 'none', repeatable: true, read: jsonAnswer(catalogueSchema, say('It is not a list of data endpoints.'), MAX_CATALOGUE_BYTES),
}

/**
 * One call, `{method} /v1/data{path}`, with a query where it is a GET and a JSON body where it is a POST. It is charged for
 * and so sent once, a GET too. What it answers is the provider's: any JSON.
 */
function dataRequest({ path, method }: Pick<DataEndpointId, 'path' | 'method'>, input: JsonObject, revision: 'A' | 'B'): ServiceRequest<JsonValue> {
  if (!PATH.test(path)) throw new SottoError('request/invalid', { param: 'path' })
  if (revision === 'B' && path.startsWith('/x/')) throw new SottoError('service/not-offered', { param: 'path' })
  return {
    method,
    target: { path: `/v1/data${path}`, ...(method === 'GET' && { query: queryOf(input) }) },
    auth: 'payable',
    ...(method === 'POST' && { body: jsonBody(input) }),
    patienceMs: PATIENCE_MS,
    read: (response) => readJson(response.body, MAX_ANSWER_BYTES),
  }
}

function queryOf(input: JsonObject): Record<string, string | number | boolean> {
  return Object.fromEntries(Object.entries(input).flatMap(([name, value]): [string, string | number | boolean][] => {
    if (value === null) return []
    if (typeof value === 'object') throw new SottoError('request/invalid', { param: name.slice(0, 60), detail: say('A query holds plain values.') })
    return [[name, value]]
  }))
}

export function listDataEndpoints(service: Service, options: CallOptions = {}): Promise<DataCatalogueEntry[]> {
  return perform(service, dataCatalogueRequest, options)
}

export async function callData(service: Service, endpoint: Pick<DataEndpointId, 'path' | 'method'>, input: JsonObject, options: PayableOptions = {}): Promise<JsonValue> {
  return perform(service, dataRequest(endpoint, input, service.access().revision ?? 'B'), options)
}
