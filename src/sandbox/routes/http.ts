import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify'
import type { ServerResponse } from 'node:http'
import type { Answer, Reply } from '../refusal.ts'
import type { Route } from '../route/route.ts'
import type { ServiceContext } from '../service-context.ts'

/** The original body; empty if there is none. */
export function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

/** Sends an answer in one piece. */
export function refuse(reply: FastifyReply, { status, headers, contentType, body }: Reply): FastifyReply {
  return reply
    .code(status)
    .headers(headers ?? {})
    .header('content-type', contentType)
    .send(body)
}

/**
 * Lets `write` send the answer. If that fails, the connection is dropped, because an incomplete answer must
 * not look complete.
 */
export async function hijacked(
  reply: FastifyReply,
  write: (response: ServerResponse) => Promise<void>,
): Promise<FastifyReply> {
  reply.hijack()
  try {
    await write(reply.raw)
  } catch {
    reply.raw.destroy()
  }
  return reply
}

/** Sends an answer of either form. */
export function send(reply: FastifyReply, answer: Answer): FastifyReply | Promise<FastifyReply> {
  return typeof answer === 'function' ? hijacked(reply, answer) : refuse(reply, answer)
}

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
