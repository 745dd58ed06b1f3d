import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { mkdirSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { encap, exportSecret, keySchedule } from '../../src/ehbp/hpke.ts'
import { native } from '../../src/ehbp/native.ts'
import { deriveResponseKeys } from '../../src/ehbp/response-keys.ts'
import { sequenceNonce } from '../../src/ehbp/protocol.ts'
import { sandboxProfile } from '../../src/sandbox/profile.ts'
import { FaultSwitches } from '../../src/sandbox/faults.ts'
import { Enclave, rawX25519 } from '../../src/sandbox/world/enclave.ts'
import { EvidenceDesk } from '../../src/sandbox/world/evidence-desk.ts'
import { loadRoots } from '../../src/sandbox/world/roots.ts'
import type { Profile } from '../../src/shared/profile.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, type Asked } from './chat-body.ts'
import { tellReady } from './child.ts'
import { sharedNow } from './client.ts'
import { DEPARTURE_PATH } from './departure-path.ts'

/** The values that the other processes need. Bytes are base64. */
export interface EnclaveReady {
  readonly baseUrl: string
  readonly port: number
  readonly hpkePublicKey: string
  readonly profile: Profile
  readonly trust: { readonly ark: string; readonly ask: string; readonly sigstoreTrustedRoot: string }
}

/**
 * A minimal service with an enclave. Its answers cost almost nothing, so that the benchmark measures the
 * proxies in front of it. Its evidence is the sandbox's, genuine and signed.
 */
const folder = resolve(import.meta.dirname, '../../node_modules/.cache/sotto-bench')
mkdirSync(folder, { recursive: true, mode: 0o700 })
const roots = await loadRoots(folder, () => true)
const enclave = new Enclave()
const desk = new EvidenceDesk(() => Promise.resolve(roots), enclave, new FaultSwitches(), Date.now)
const publicKey = rawX25519(enclave.keys.hpke.publicKey)
const pair = native.keyPair(
  enclave.keys.hpke.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
)

const JSON_ANSWER = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'bench',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Only the one it is meant for. '.repeat(30) },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 500, completion_tokens: 200, total_tokens: 700 },
  }),
)
const event = (value: unknown) =>
  Buffer.from(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
const TOKEN = event({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'word ' } }],
})
const USAGE = event({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  choices: [],
  usage: { prompt_tokens: 500, completion_tokens: 8, total_tokens: 508 },
})
const STREAMED_TOKENS = 8
const TOKEN_EVERY_MS = 2

const listing = (id: string) => ({
  id,
  name: id,
  provider: 'bench',
  type: 'chat',
  context_length: 32_768,
  pricing: { input_per_1M_tokens: 1, output_per_1M_tokens: 2 },
})
const get: Record<string, () => unknown> = {
  '/v1/models': () => ({ data: [listing(PLAINTEXT_MODEL), listing(PRIVATE_MODEL)] }),
  '/private/attestation': async () => JSON.parse(await desk.bundle()) as unknown,
}

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy())
})
server.keepAliveTimeout = 0

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? ''
  if (request.method === 'GET' && path.startsWith(DEPARTURE_PATH))
    return json(response, await departure(path.slice(DEPARTURE_PATH.length)).when)
  if (request.method === 'GET') return json(response, await get[path]?.())
  const body = await whole(request)
  if (path === '/accounts/create')
    return json(response, { credit_id: 'bench-credit-0001', api_key: 'sk-bench-000000000000', balance: 1 })
  if (path === '/credits/balance') return json(response, { balance: 1 })
  if (path === '/v1/chat/completions') return answer(response, body, {}, (part) => part)
  if (path === '/private/v1/chat/completions') return serveSealed(request, response, body)
  json(response, undefined)
}

function serveSealed(request: IncomingMessage, response: ServerResponse, framed: Buffer): Promise<void> {
  const encapsulated = Buffer.from(String(request.headers['ehbp-encapsulated-key']), 'hex')
  const secret = encap(native, { publicKey: encapsulated, agree: () => pair.agree(encapsulated) }, publicKey)
  if (secret === undefined) throw new Error('no usable encapsulated key')
  const context = keySchedule(native, secret)
  const opened = native.aead(context.key).open(sequenceNonce(context.baseNonce, 0), framed.subarray(4))
  if (opened === undefined || framed.readUInt32BE() !== framed.byteLength - 4)
    throw new Error('not one frame sealed to this key')
  const nonce = randomBytes(32)
  const keys = deriveResponseKeys(native, exportSecret(native, context, 'ehbp response'), encapsulated, nonce)
  const aead = native.aead(keys.key)
  let sequence = 0
  return answer(response, opened, { 'ehbp-response-nonce': nonce.toString('hex') }, (part) => {
    const frame = Buffer.allocUnsafeSlow(4 + part.byteLength + 16)
    frame.writeUInt32BE(part.byteLength + 16)
    aead.seal(sequenceNonce(keys.baseNonce, sequence++), part, frame, 4)
    return frame
  })
}

async function answer(
  response: ServerResponse,
  body: Uint8Array,
  headers: Record<string, string>,
  seal: (part: Buffer) => Buffer,
): Promise<void> {
  const {
    stream,
    max_completion_tokens: tokens = STREAMED_TOKENS,
    user: endless,
  } = JSON.parse(Buffer.from(body).toString()) as { stream?: boolean } & Asked
  if (stream !== true) {
    response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(seal(JSON_ANSWER))
    return
  }
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
  response.write(seal(TOKEN))
  if (endless !== undefined) {
    response.once('close', () => departed(endless, sharedNow()))
    return
  }
  for (let token = 1; token < tokens; token += 1) {
    await new Promise((resume) => setTimeout(resume, TOKEN_EVERY_MS))
    response.write(seal(TOKEN))
  }
  response.write(seal(USAGE))
  response.end(seal(event('[DONE]')))
}

/** A request for the time of a caller's departure waits until the caller has left. */
const departures = new Map<string, { when: Promise<number>; tell: (at: number) => void }>()

function departure(name: string): { when: Promise<number>; tell: (at: number) => void } {
  const known = departures.get(name)
  if (known) return known
  const { promise: when, resolve: tell } = Promise.withResolvers<number>()
  const entry = { when, tell }
  departures.set(name, entry)
  return entry
}

function departed(name: string, at: number): void {
  departure(name).tell(at)
}

async function whole(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function json(response: ServerResponse, value: unknown): void {
  response
    .writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify(value ?? { error: 'unknown' }))
}

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as { port: number }
const baseUrl = `http://127.0.0.1:${String(port)}`
await desk.bundle()
const genoa = roots.trust.amd.Genoa
if (genoa === undefined) throw new Error('the sandbox has no Genoa roots')
tellReady({
  baseUrl,
  port,
  hpkePublicKey: publicKey.toString('hex'),
  profile: sandboxProfile(baseUrl),
  trust: {
    ark: Buffer.from(genoa.ark).toString('base64'),
    ask: Buffer.from(genoa.ask).toString('base64'),
    sigstoreTrustedRoot: roots.trust.sigstoreTrustedRoot,
  },
} satisfies EnclaveReady)
