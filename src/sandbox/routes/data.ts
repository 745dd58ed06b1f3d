import { z } from 'zod'
import { dataEndpoints, dataEndpointsIn, type DataEndpoint } from '../data/endpoints.ts'
import { payloadOf } from '../data/payloads.ts'
import { dataDialect } from '../dialect.ts'
import { dollars } from '../route/schemas.ts'
import { json } from '../refusal.ts'
import { chargeOnce } from '../route/pay-per-request.ts'
import { bare, publicRoute, payableRoute, type Route } from '../route/route.ts'

const catalogueSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      path: z.string(),
      method: z.enum(['GET', 'POST']),
      name: z.string(),
      group: z.string(),
      price: z.number(),
      currency: z.literal('USD'),
    }),
  ),
})

/** Data about people, places and pages, all of which are fictional. */
export const dataRoutes: readonly Route[] = [
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/v1/data/endpoints',
    tag: 'Data',
    summary: 'List endpoints with prices',
    answers: {
      200: { description: 'The endpoints of this revision', schema: catalogueSchema },
      429: { description: 'Too many requests' },
    },
    dialect: dataDialect,
    serve: ({ revision }) =>
      json(200, {
        object: 'list',
        data: dataEndpointsIn(revision).map(({ group, method, path, picoUsd, title }) => ({
          path: `/v1/data${path}`,
          method,
          name: title,
          group,
          price: dollars(picoUsd),
          currency: 'USD',
        })),
      }),
  }),
  ...dataEndpoints.map(endpointRoute),
]

/** The parameters are in the query of a GET, and in the body of a POST. */
function endpointRoute(endpoint: DataEndpoint): Route {
  const { method, parameters, path, picoUsd, revision, title } = endpoint
  const reads = method === 'GET'
  return payableRoute({
    ...bare,
    method,
    path: `/v1/data${path}`,
    ...(revision && { revision }),
    tag: 'Data',
    summary: title,
    answers: {
      200: { description: 'The result', schema: z.looseObject({}) },
      400: { description: 'A parameter has the wrong type' },
    },
    dialect: dataDialect,
    takes: ['authorization'],
    query: reads ? parameters : bare.query,
    input: reads ? bare.input : parameters,
    price: () => ({ picoUsd, description: `Sandbox Data: ${title}` }),
    serve: ({ ledger }, call) => {
      const charged = chargeOnce(
        ledger,
        dataDialect,
        call,
        { model: path.replace(/^\/(?:api\/)?/, ''), type: 'data_enrichment' },
        picoUsd,
      )
      return 'refusal' in charged
        ? charged.refusal
        : json(200, payloadOf(endpoint, parameters.parse(reads ? call.query : call.input)))
    },
  })
}
