import type { FastifyInstance } from 'fastify'
import type { Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'

/** The description of this revision, for tools at /openapi.json and for people at /openapi.html. */
export function describeRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  { baseUrl, revision }: ServiceContext,
): void {
  const load = async () => (await import('../route/openapi.ts')).describe(routes, baseUrl, revision)
  app.get('/openapi.json', async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(await load())),
  )
  app.get('/openapi.html', async (_request, reply) => {
    const { page } = await import('../route/openapi-page.ts')
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .send(page(await load()))
  })
}
