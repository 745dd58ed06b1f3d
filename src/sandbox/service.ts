import Fastify, { type FastifyRequest } from 'fastify'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Arrival, Arrivals } from './arrival.ts'
import { createControl, type SandboxControl } from './control.ts'
import { documentedRefusal, routeUnknown } from './refusal.ts'
import { RouteFaults } from './route/faults.ts'
import { mountRoutes, routeName } from './route/mount.ts'
import { controlRoute } from './routes/control.ts'
import { describeRoutes, refuse } from './routes/http.ts'
import { routes } from './routes/index.ts'
import { privateRouteNames, privateRoutes } from './routes/private.ts'
import { serviceEnclaveRouteNames, serviceEnclaveRoutes } from './routes/service-enclave.ts'
import type { ServiceContext } from './service-context.ts'
import { ServiceEnclave } from './service-enclave/inside.ts'
import type { Enclave } from './world/enclave.ts'
import { EvidenceDesk } from './world/evidence-desk.ts'
import type { Roots } from './world/roots.ts'
import { DocumentDesk } from './world/v3/document-desk.ts'

const mebibyte = 1024 * 1024
/** More than any client should send: a larger body is answered with 413. */
const bodyLimit = 96 * mebibyte

const failureSchema = z.looseObject({ statusCode: z.int().min(400).max(499), message: z.string() })

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface RunningService {
  readonly handle: Handler
  readonly control: SandboxControl
}

interface ServiceParts {
  readonly enclave: Enclave
  /** Settles when they are minted. */
  readonly roots: () => Promise<Roots>
  readonly arrivals: Arrivals
  readonly controlToken: string | undefined
  /** Whether the service has an enclave of its own. */
  readonly serviceEnclave: boolean
}

/** Every route of the service, on a server that is already listening. */
export async function createService(
  server: Server,
  context: ServiceContext,
  { enclave, roots, arrivals, controlToken, serviceEnclave }: ServiceParts,
): Promise<RunningService> {
  const app = Fastify({ serverFactory: () => server, bodyLimit })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    readBody(payload, arrivals.of(request.raw)),
  )
  app.setNotFoundHandler((_request, reply) => refuse(reply, routeUnknown))
  app.setErrorHandler((error, _request, reply) => {
    const known = failureSchema.safeParse(error)
    const [statusCode, message] = known.success
      ? [known.data.statusCode, known.data.message]
      : [500, 'Internal Server Error']
    return refuse(reply, documentedRefusal(statusCode, message))
  })
  const served = routes.filter(
    ({ facts }) => facts.revision === undefined || facts.revision === context.revision,
  )
  const sealed = context.revision === 'B'
  const faults = new RouteFaults([
    ...served.map(({ facts }) => ({
      name: routeName(facts),
      group: facts.tag,
      description: facts.summary,
      fails: true,
    })),
    ...(sealed ? privateRouteNames : []),
    ...(serviceEnclave ? serviceEnclaveRouteNames : []),
  ])
  mountRoutes(app, served, context, arrivals, faults)
  if (sealed) {
    const evidence = new EvidenceDesk(roots, enclave, context.faults, context.now)
    const documents = new DocumentDesk(roots, enclave, context.faults, context.now)
    privateRoutes(app, { ...context, enclave, evidence, documents }, arrivals, faults)
  }
  if (serviceEnclave) {
    serviceEnclaveRoutes(
      app,
      { enclave: new ServiceEnclave(context), roots, faults: context.faults, now: context.now },
      arrivals,
      faults,
    )
  }
  const control = createControl(context, faults)
  describeRoutes(app, routes, context)
  if (controlToken !== undefined) controlRoute(app, control, context.faults, controlToken)
  await app.ready()
  return { handle: (request, response) => app.routing(request, response), control }
}

class BodyTooLarge extends Error {
  readonly statusCode = 413
}

/** @throws BodyTooLarge, and the error of a request that broke off */
function readBody(payload: Readable, arrival: Arrival): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Grows in place: many pieces of a large body would fragment the heap, which is the memory of Sotto
    // itself.
    const whole = new ArrayBuffer(0, { maxByteLength: bodyLimit })
    let length = 0
    payload.on('data', (chunk: Buffer) => {
      arrival.arrived(chunk.length)
      const end = length + chunk.length
      if (end > bodyLimit) {
        reject(new BodyTooLarge('Request body is too large'))
        return
      }
      if (end > whole.byteLength) whole.resize(Math.min(bodyLimit, Math.ceil(end / mebibyte) * mebibyte))
      new Uint8Array(whole).set(chunk, length)
      length = end
      if (chunk.buffer instanceof ArrayBuffer && chunk.buffer.byteLength === chunk.byteLength)
        chunk.buffer.transfer(0)
    })
    payload.on('end', () => resolve(Buffer.from(whole, 0, length)))
    payload.on('error', reject)
  })
}
