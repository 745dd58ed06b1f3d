import { z } from 'zod'
import { msg } from '../../../../shared/localized-text.ts'
import { jsonAnswer, perform, type CallOptions, type Service, type ServiceRequest } from '../http/perform.ts'
import { isUsd, listedByGroup, type Listed } from '../http/shapes.ts'
import { lenient, name, price, text } from '../http/wire.ts'
import { dataEndpoints } from './data-endpoints.ts'

const MAX_CATALOGUE_BYTES = 4 * 1024 * 1024

/** An endpoint as the service lists it. The path may use the provider's own name for the group. */
export interface DataCatalogueEntry {
  /** The path after `/v1/data`. */
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly group?: string | undefined
  /** Pico-USD per call; absent if no price is listed. */
  readonly price?: bigint | undefined
}

/** Segments of plain characters only, so that no path leaves `/v1/data`. */
const PATH = /^\/(?:api|x)(?:\/[A-Za-z0-9_-]{1,60}){1,6}$/
const PRICE_NAMES = [
  'price',
  'price_usd',
  'usd',
  'cost',
  'cost_usd',
  'price_in_usd',
  'api_price',
  'base_price',
  'amount',
  'pricing',
] as const
const listedPrice = lenient(
  z.union([
    price,
    z
      .looseObject({})
      .transform((table) => priceIn(table))
      .pipe(z.bigint()),
  ]),
)

const entrySchema = z
  .looseObject({
    path: lenient(text(300)),
    endpoint: lenient(text(300)),
    url: lenient(text(300)),
    route: lenient(text(300)),
    method: lenient(
      z
        .string()
        .toUpperCase()
        .pipe(z.enum(['GET', 'POST'])),
    ),
    name: lenient(name(200)),
    title: lenient(name(200)),
    description: lenient(text(2000)),
    group: lenient(text(100)),
    category: lenient(text(100)),
    provider: lenient(name(100)),
  })
  .transform((entry, context): DataCatalogueEntry => {
    const path = pathOf(entry.path ?? entry.endpoint ?? entry.route ?? entry.url ?? '', entry.group)
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

/**
 * Returns the path after `/v1/data`, whether the listing writes the full address or a part of it. A path
 * within a group begins with the group's name, which is the provider's (specification, Data enrichment, which
 * uses neutral names).
 */
function pathOf(written: string, group: string | undefined): string | undefined {
  const path = written
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/^\/?/, '/')
    .replace(/^\/v1\/data(?=\/)/, '')
  if (PATH.test(path) || group === undefined) return PATH.test(path) ? path : undefined
  const parent = group === 'x' ? '/x' : `/api/${group}`
  const below = `${parent}${path.startsWith(`/${group}/`) ? path.slice(group.length + 1) : path}`
  return PATH.test(below) ? below : undefined
}

function priceIn(entry: Readonly<Record<string, unknown>>): bigint | undefined {
  if (!isUsd(entry['currency'])) return undefined
  const name = PRICE_NAMES.find((candidate) => entry[candidate] !== undefined && entry[candidate] !== null)
  return name === undefined ? undefined : listedPrice.parse(entry[name])
}

const catalogueSchema = listedByGroup(entrySchema, 1000, 'group', 'endpoints')

/** `GET /v1/data/endpoints` (specification, Data enrichment): no authentication. */
const dataCatalogueRequest: ServiceRequest<Listed<DataCatalogueEntry>> = {
  method: 'GET',
  target: { path: '/v1/data/endpoints' },
  auth: 'none',
  repeatable: true,
  read: jsonAnswer(catalogueSchema, msg('The response isn’t a list of data endpoints.'), MAX_CATALOGUE_BYTES),
}

/**
 * Lists the data endpoints. An entry whose path could leave `/v1/data` is skipped. The text of entries is
 * untrusted.
 * @throws {SottoError} service/…
 */
export function listDataEndpoints(
  service: Service,
  options: CallOptions = {},
): Promise<Listed<DataCatalogueEntry>> {
  return perform(service, dataCatalogueRequest, options)
}
