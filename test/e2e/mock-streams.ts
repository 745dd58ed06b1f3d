import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AnyRouter } from '@orpc/server'
import { RPCHandler } from '@orpc/server/fetch'
import { SimpleCsrfProtectionHandlerPlugin } from '@orpc/server/plugins'
import { createWindowStreams, type WindowStreams } from '../../src/host/window-streams.ts'
import { BodyBudget } from '../../src/shared/body-budget.ts'

/** Serves the streams of a mock by the same code as the UI server. */
export function serveStreams(
  server: Server,
  router: AnyRouter,
  isToken: (token: string) => boolean,
): WindowStreams {
  const handler = new RPCHandler(router, { plugins: [new SimpleCsrfProtectionHandlerPlugin()] })
  // As in the core: a request's signal follows its caller only while the request is referenced.
  const requests = new WeakMap<ReadableStream, Request>()
  const serve = async (request: Request): Promise<Response> => {
    const { response } = await handler.handle(request, { prefix: '/api' })
    if (response?.body) requests.set(response.body, request)
    return response ?? new Response(null, { status: 404 })
  }
  const streams = createWindowStreams(
    (token) => (isToken(token) ? { serve, ended: new AbortController().signal } : null),
    new BodyBudget(),
  )
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    streams.accept(incoming, socket, head).catch(() => socket.destroy())
  })
  return streams
}
