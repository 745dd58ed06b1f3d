import { z } from 'zod'
import { accountDialect } from '../dialect.ts'
import { listing } from '../models.ts'
import { json } from '../refusal.ts'
import { bare, publicRoute, type Route } from '../route/route.ts'

const listSchema = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), name: z.string(), type: z.string() })),
})

/** The listing, without authentication. */
export const modelRoutes: readonly Route[] = [
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/v1/models',
    tag: 'Models',
    summary: 'List models with attributes and prices',
    answers: { 200: { description: 'The models', schema: listSchema } },
    dialect: accountDialect,
    query: z.looseObject({
      type: z
        .string('must be given once')
        .max(100)
        .optional()
        .describe('`all`, one type, or several with commas'),
    }),
    serve: ({ revision }, { query }) => json(200, listing(query.type, revision)),
  }),
  publicRoute({
    ...bare,
    method: 'GET',
    path: '/v1/media/models',
    revision: 'A',
    tag: 'Models',
    summary: 'List image and video models',
    answers: { 200: { description: 'The models', schema: listSchema } },
    dialect: accountDialect,
    serve: () => json(200, listing('image,video', 'B')),
  }),
]
