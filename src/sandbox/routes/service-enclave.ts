import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Arrivals } from '../arrival.ts'
import { plaintextAnswer } from '../chat/completion.ts'
import type { FaultSwitches } from '../faults.ts'
import { serviceEnclavePath } from '../profile.ts'
import { faultRefusal, gatewayRefusal } from '../refusal.ts'
import { faultAnswer, type FaultyRoute, type RouteFaults } from '../route/faults.ts'
import { latency } from '../route/mount.ts'
import type { ServiceEnclave } from '../service-enclave/inside.ts'
import { parseNonce } from '../world/service-enclave/evidence.ts'
import { imageRecord } from '../world/service-enclave/image-record.ts'
import type { Roots } from '../world/roots.ts'
import { bodyOf, refuse, send } from './http.ts'

interface ServiceEnclaveContext {
  readonly enclave: ServiceEnclave
  /** Settles when they are minted. */
  readonly roots: () => Promise<Roots>
  readonly faults: FaultSwitches
  readonly now: () => number
}

const evidenceName = `GET ${serviceEnclavePath}/attestation`
const recordName = `GET ${serviceEnclavePath}/published-pcr.json`
const chatName = `POST ${serviceEnclavePath}/v1/chat/completions`
/** The enclave asks the service's backend who pays, so a fault of that route applies here too. */
const backendName = 'POST /v1/chat/completions'

/** A person can delay them. Every other fault here is one of the enclave. */
export const serviceEnclaveRouteNames: readonly FaultyRoute[] = [
  {
    name: evidenceName,
    group: 'Service enclave',
    description: 'Get the service enclave’s evidence',
    fails: false,
  },
  {
    name: recordName,
    group: 'Service enclave',
    description: 'Get the record of the service enclave’s images',
    fails: false,
  },
  {
    name: chatName,
    group: 'Service enclave',
    description: 'Pass a sealed conversation to the model’s provider',
    fails: false,
  },
]

const bodyLimit = 25 * 1024 * 1024
const bodyTooLarge = gatewayRefusal(413, 'The request is larger than 25 MiB')
const attestationUnavailable = gatewayRefusal(503, 'attestation unavailable')

const querySchema = z.looseObject({ nonce: z.unknown().optional() })

/** The service's hosts in front of its own enclave. They pass bodies in and out, and can't read a sealed one. */
export function serviceEnclaveRoutes(
  app: FastifyInstance,
  context: ServiceEnclaveContext,
  arrivals: Arrivals,
  routeFaults: RouteFaults,
): void {
  const { enclave, roots, faults, now } = context
  const delay = async (name: string, request: FastifyRequest) => {
    const fault = routeFaults.of(name)
    if (fault) await latency(fault, arrivals.of(request.raw).signal)
  }

  app.get(`${serviceEnclavePath}/attestation`, async (request, reply) => {
    await delay(evidenceName, request)
    const { nonce } = querySchema.parse(request.query)
    const minted = await roots().catch(() => undefined)
    reply.header('access-control-allow-origin', '*')
    if (!minted) return refuse(reply, attestationUnavailable)
    return reply
      .header('content-type', 'application/json')
      .send(JSON.stringify(enclave.attest(parseNonce(nonce), minted)))
  })

  // The record's host serves JSON files as text.
  app.get(`${serviceEnclavePath}/published-pcr.json`, async (request, reply) => {
    await delay(recordName, request)
    return reply
      .header('content-type', 'text/plain; charset=utf-8')
      .send(imageRecord(now(), faults.on('relay-older-record')))
  })

  const chat = async (request: FastifyRequest, reply: FastifyReply) => {
    await delay(chatName, request)
    await delay(backendName, request)
    const fault = faultRefusal(faults) ?? faultAnswer(routeFaults.of(backendName) ?? {})
    if (fault) return refuse(reply, fault)
    const header = request.headers['ehbp-encapsulated-key']
    const encapsulatedKey = typeof header === 'string' ? header : undefined
    if (encapsulatedKey !== undefined && faults.on('plaintext-200'))
      return reply.code(200).send(plaintextAnswer('sandbox/allegro-mini', now()))
    const body = bodyOf(request)
    if (body.length > bodyLimit) return refuse(reply, bodyTooLarge)
    const answer = enclave.relay({
      encapsulatedKey,
      body,
      headers: request.headers,
      signal: arrivals.of(request.raw).signal,
    })
    return send(reply, answer)
  }
  app.post(`${serviceEnclavePath}/v1/chat/completions`, chat)
  app.post(`${serviceEnclavePath}/chat/completions`, chat)
}
