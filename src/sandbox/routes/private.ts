import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendAnswer } from '../answer.ts'
import type { Arrivals } from '../arrival.ts'
import {
  beginCompletion,
  chatCredentials,
  modelRefusal,
  serveCompletion,
  type ChatContext,
} from '../chat/serve-completion.ts'
import { plaintextAnswer } from '../chat/completion.ts'
import { parseChatRequest, routePrompt } from '../chat/request.ts'
import { authenticate } from '../credential.ts'
import { gatewayDialect } from '../dialect.ts'
import { beginConversion, serveConversion } from '../document/serve-conversion.ts'
import {
  decryptRequest,
  SealedRequestError,
  type DecryptedRequest,
  type ResponseSealer,
} from '../ehbp/exchange.ts'
import { keyConfig, keyConfigType } from '../ehbp/hpke-recipient.ts'
import type { AccountPayer } from '../ledger/record.ts'
import { enclaveModel } from '../models.ts'
import { enclaveHost, privatePath } from '../profile.ts'
import {
  enclaveRefusal,
  encryptionMissing,
  faultRefusal,
  gatewayRefusal,
  keyConfigMismatch,
  routeUnknown,
  type Refusal,
} from '../refusal.ts'
import type { FaultyRoute, RouteFaults } from '../route/faults.ts'
import { latency } from '../route/mount.ts'
import type { DocumentDesk } from '../world/v3/document-desk.ts'
import type { EvidenceDesk } from '../world/evidence-desk.ts'
import type { Enclave } from '../world/enclave.ts'
import { bodyOf, hijacked, refuse } from './http.ts'

interface PrivateContext extends ChatContext {
  readonly enclave: Enclave
  readonly evidence: EvidenceDesk
  readonly documents: DocumentDesk
}

/** The nonce that the evidence should contain. Only a Nitro document has a member for it. */
const attestationQuerySchema = z.looseObject({
  nonce: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .transform((hex) => Buffer.from(hex, 'hex'))
    .optional(),
})

/** No nonce, or an empty one, asks for document v2. Upper-case hex is accepted. */
const documentQuerySchema = z.looseObject({
  nonce: z
    .union([
      z.literal('').transform(() => undefined),
      z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/)
        .transform((hex) => Buffer.from(hex, 'hex')),
    ])
    .optional(),
})

/** The gateway's default if the caller names no model next to the sealed body. */
const defaultModel = 'private/sandbox-whisper-70b'

const evidenceName = `GET ${privatePath}/attestation`
const documentName = 'GET /.well-known/tinfoil-attestation'
const chatName = `POST ${privatePath}/v1/chat/completions`
const convertName = `POST ${privatePath}/v1/convert/file`

/** Only a delay can be simulated, because their other faults are those of the enclave. */
export const privateRouteNames: readonly FaultyRoute[] = [
  { name: evidenceName, group: 'Private chat', description: 'Get the enclave’s evidence', fails: false },
  { name: documentName, group: 'Private chat', description: 'Get the enclave’s own document', fails: false },
  { name: chatName, group: 'Private chat', description: 'Reply to a sealed conversation', fails: false },
  { name: convertName, group: 'Private chat', description: 'Convert a sealed document', fails: false },
]

/** The enclave's paths: its evidence, its key, and chat that only it can read. */
export function privateRoutes(
  app: FastifyInstance,
  context: PrivateContext,
  arrivals: Arrivals,
  faults: RouteFaults,
): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${privatePath}/attestation`,
    handler: async (request, reply) => {
      const fault = faults.of(evidenceName)
      if (fault) await latency(fault, arrivals.of(request.raw).signal)
      if (context.faults.on('oversized-evidence')) {
        return hijacked(reply, (response) =>
          sendAnswer(response, {
            status: 200,
            headers: { 'content-type': 'application/json' },
            pieces: oversizedBundle(),
            signal: arrivals.of(request.raw).signal,
          }),
        )
      }
      const query = attestationQuerySchema.safeParse(request.query)
      if (!query.success)
        return refuse(reply, gatewayRefusal(400, 'A nonce is 32 bytes, in 64 lowercase hex digits'))
      return reply
        .header('content-type', 'application/json')
        .send(await context.evidence.bundle(query.data.nonce ?? null))
    },
  })

  app.get('/.well-known/tinfoil-attestation', async (request, reply) => {
    const fault = faults.of(documentName)
    if (fault) await latency(fault, arrivals.of(request.raw).signal)
    const query = documentQuerySchema.safeParse(request.query)
    if (!query.success)
      return refuse(
        reply,
        enclaveRefusal(400, 'invalid_request_error', 'Invalid nonce: it must be 32 bytes in hex'),
      )
    const { nonce } = query.data
    const document = await context.evidence.document()
    // As bytes, because Fastify adds a charset to text. The enclave names the format of its v2 document in this header, also on v3 answers.
    reply.header('content-type', 'application/json').header('tinfoil-pt', document.format)
    if (nonce === undefined) return reply.send(Buffer.from(JSON.stringify(document)))
    const answer = await context.documents.answer(nonce)
    return answer === undefined
      ? refuse(reply, enclaveRefusal(503, 'server_error', 'Attestation material is not available'))
      : reply.send(Buffer.from(answer))
  })

  app.get(`${privatePath}/.well-known/hpke-keys`, (_request, reply) =>
    reply.header('content-type', keyConfigType).send(keyConfig(keysInUse(context).publicKey)),
  )

  const chat = async (request: FastifyRequest, reply: FastifyReply) => {
    const fault = faults.of(chatName)
    if (fault) await latency(fault, arrivals.of(request.raw).signal)
    return sealedRequest(context, arrivals, request, reply, answerChat)
  }
  app.post(`${privatePath}/v1/chat/completions`, chat)
  app.post(`${privatePath}/chat/completions`, chat)
  app.post(`${privatePath}/v1/convert/file`, async (request, reply) => {
    const fault = faults.of(convertName)
    if (fault) await latency(fault, arrivals.of(request.raw).signal)
    return sealedRequest(context, arrivals, request, reply, answerConversion)
  })
  app.post(`${privatePath}/*`, (request, reply) =>
    refuse(reply, encapsulatedKey(request) === undefined ? encryptionMissing : routeUnknown),
  )
}

function encapsulatedKey(request: FastifyRequest): string | undefined {
  const value = request.headers['ehbp-encapsulated-key']
  return typeof value === 'string' ? value : undefined
}

/** Who the fault `swapped-key` deceives is read by somebody else: the sandbox plays that part too. */
function keysInUse({ enclave, faults }: PrivateContext) {
  return faults.on('swapped-key') ? enclave.keys.impostor : enclave.keys.hpke
}

/** A request that was opened inside the enclave, and who pays for it. */
interface InsideEnclave {
  readonly arrivals: Arrivals
  readonly http: FastifyRequest
  readonly reply: FastifyReply
  readonly opened: DecryptedRequest
  readonly payer: AccountPayer
}

async function sealedRequest(
  context: PrivateContext,
  arrivals: Arrivals,
  http: FastifyRequest,
  reply: FastifyReply,
  answer: (context: PrivateContext, inside: InsideEnclave) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const fault = faultRefusal(context.faults)
  if (fault) return refuse(reply, fault)
  const encapsulated = encapsulatedKey(http)
  if (encapsulated === undefined) return refuse(reply, encryptionMissing)
  if (context.faults.on('plaintext-200'))
    return reply.code(200).send(plaintextAnswer('sandbox-whisper-70b', context.now()))
  const who = authenticate(http.headers, chatCredentials, gatewayDialect, context.ledger, context.now())
  if ('refusal' in who) return refuse(reply, who.refusal)
  if (context.faults.on('key-rotation')) context.enclave.rotate()
  const opened = open(context, encapsulated, bodyOf(http))
  if ('refusal' in opened) return refuse(reply, opened.refusal)
  return answer(context, { arrivals, http, reply, opened, payer: who.payer })
}

function open(
  context: PrivateContext,
  encapsulated: string,
  body: Buffer,
): DecryptedRequest | { readonly refusal: Refusal } {
  try {
    return decryptRequest(encapsulated, body, keysInUse(context))
  } catch (error) {
    if (!(error instanceof SealedRequestError)) throw error
    return { refusal: error.code === 'key-config' ? keyConfigMismatch : gatewayRefusal(400, error.message) }
  }
}

/**
 * From here on every answer is sealed, except a refusal for lack of credit: the gateway decides about that,
 * and reads no content.
 */
async function answerChat(
  context: PrivateContext,
  { arrivals, http, reply, opened, payer }: InsideEnclave,
): Promise<FastifyReply> {
  const arrival = arrivals.of(http.raw)
  const { signal } = arrival
  const sealer = opened.sealResponse()
  const refuseSealed = (refusal: Refusal) => refuseInside(reply, refusal, sealer, signal)
  const parsed = parseChatRequest(opened.body)
  if ('refusal' in parsed) return refuseSealed(parsed.refusal)
  const { request, salt } = routePrompt(parsed.value)
  arrival.noteCacheSalt(salt)
  const model = enclaveModel(request.model)
  if (!model) return refuseSealed(gatewayRefusal(404, `Unknown model: ${request.model}`))
  const routed = http.headers['x-private-model'] ?? defaultModel
  // The service would send the request to the enclave of the wrong model; here the caller hears of it.
  if (routed !== model.id)
    return refuseSealed(
      gatewayRefusal(400, `X-Private-Model names ${String(routed)}, but the sealed body names ${model.id}`),
    )
  const refusal = modelRefusal(request, model)
  if (refusal) return refuseSealed(refusal)
  const begun = beginCompletion(context, {
    request,
    model,
    modelId: request.model,
    payer,
    headers: http.headers,
  })
  // Only the enclave can count the tokens of a sealed prompt; only the service knows the balance.
  if ('refusal' in begun)
    return begun.refusal.status === 400 ? refuseSealed(begun.refusal) : refuse(reply, begun.refusal)
  const usageInHeaders = http.headers['x-tinfoil-request-usage-metrics'] === 'true'
  return hijacked(reply, (response) =>
    serveCompletion(context, begun, { response, signal, sealer, usageInHeaders }),
  )
}

async function answerConversion(
  context: PrivateContext,
  { arrivals, http, reply, opened, payer }: InsideEnclave,
): Promise<FastifyReply> {
  const { signal } = arrivals.of(http.raw)
  const sealer = opened.sealResponse()
  const begun = beginConversion(context, Buffer.from(opened.body), { payer, headers: http.headers })
  if ('shortage' in begun) return refuse(reply, begun.shortage)
  if ('refusal' in begun) return refuseInside(reply, begun.refusal, sealer, signal)
  return hijacked(reply, (response) => serveConversion(context, begun, { response, sealer, signal }))
}

/** Refuses under the seal. */
function refuseInside(
  reply: FastifyReply,
  { status, contentType, body }: Refusal,
  sealer: ResponseSealer,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const headers = { 'content-type': contentType }
  return hijacked(reply, (response) =>
    sendAnswer(response, { status, headers, pieces: [body], sealer, signal }),
  )
}

const paddingPieces = 768
const paddingPiece = 'A'.repeat(64 * 1024)

/** 48 MiB that begin like evidence. */
function* oversizedBundle(): Generator<string> {
  yield `{"domain":${JSON.stringify(enclaveHost)},"enclaveAttestationReport":{"format":"https://tinfoil.sh/predicate/sev-snp-guest/v2","body":"`
  for (let n = 0; n < paddingPieces; n += 1) yield paddingPiece
  yield '"}}'
}
