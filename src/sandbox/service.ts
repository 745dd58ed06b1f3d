import Fastify, { type FastifyRequest } from 'fastify'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Arrival, Arrivals } from './arrival.ts'
import type { ChatContext } from './chat/serve-completion.ts'
import { routeUnknown } from './refusal.ts'
import { accountRoutes } from './routes/account.ts'
import { chatRoutes } from './routes/chat.ts'
import { refuse } from './routes/http.ts'
import { privateRoutes } from './routes/private.ts'
import type { Enclave } from './world/enclave.ts'
import { EvidenceDesk } from './world/evidence-desk.ts'
import type { Roots } from './world/roots.ts'

const mebibyte = 1024 * 1024
/** More than a caller can want to send: what is longer is answered with 413. */
const bodyLimit = 96 * mebibyte

const failureSchema = z.looseObject({ statusCode: z.int().min(400).max(499), message: z.string() })

export interface ServiceContext extends ChatContext {
  readonly enclave: Enclave
  /** Settles when they are minted. */
  readonly roots: () => Promise<Roots>
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Every route of the service, on a server that is already listening. */
export async function openService(server: Server, context: ServiceContext, arrivals: Arrivals): Promise<Handler> {
  const app = Fastify({ serverFactory: () => server, bodyLimit })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) => readBody(payload, arrivals.of(request.raw)))
  app.setNotFoundHandler((_request, reply) => refuse(reply, routeUnknown))
  app.setErrorHandler((error, _request, reply) => {
    const known = failureSchema.safeParse(error)
    const [statusCode, message] = known.success ? [known.data.statusCode, known.data.message] : [500, 'Internal Server Error']
    return reply.code(statusCode).send({ status: 'error', statusCode, message })
  })
  accountRoutes(app, context.ledger)
  chatRoutes(app, context, arrivals)
  const evidence = new EvidenceDesk(context.roots, context.enclave, context.faults, context.now)
  privateRoutes(app, { ...context, evidence }, arrivals)
  await app.ready()
  return (request, response) => app.routing(request, response)
}

class BodyTooLarge extends Error {
  readonly statusCode = 413
}

async function readBody(payload: Readable, arrival: Arrival): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of payload) {
    if (!Buffer.isBuffer(chunk)) continue
    arrival.arrived(chunk.length)
    length += chunk.length
    if (length > bodyLimit) throw new BodyTooLarge('Request body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
