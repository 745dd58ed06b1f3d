import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encap, exportSecret, keySchedule } from '../src/ehbp/hpke.ts'
import { native } from '../src/ehbp/native.ts'
import { deriveResponseKeys } from '../src/ehbp/response-keys.ts'
import { sequenceNonce } from '../src/ehbp/protocol.ts'
import { FaultSwitches } from '../src/sandbox/faults.ts'
import { sandboxProfile } from '../src/sandbox/profile.ts'
import { Enclave, rawX25519 } from '../src/sandbox/world/enclave.ts'
import { EvidenceDesk } from '../src/sandbox/world/evidence-desk.ts'
import { loadRoots } from '../src/sandbox/world/roots.ts'
import type { Profile } from '../src/shared/profile.ts'
import type { TrustSet } from '../src/shared/trust.ts'

/** A POST that reached the service. */
export interface Arrived {
  /** Without the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly sealed: boolean
  /** What the model is asked: opened, where it came sealed. */
  readonly plain: Buffer
}

/** The answer to one request, written piece by piece: one frame each where the request came sealed. */
export interface Answering {
  /** Aborted when the caller goes away before the answer has ended. */
  readonly gone: AbortSignal
  begin(headers: Record<string, string>, status?: number): void
  /** False: the connection takes no more for now. */
  write(piece: Uint8Array): boolean
  /** The connection takes more, or is gone. */
  drained(): Promise<void>
  /** Trailers need a header `trailer` with their names. */
  end(piece?: Uint8Array, trailers?: Record<string, string>): void
  /** Drops the connection in the middle of the answer. */
  cut(): void
}

export type Script = (request: Arrived, answer: Answering) => void | Promise<void>

export interface ScriptedService {
  readonly baseUrl: string
  readonly port: number
  readonly profile: Profile
  readonly trust: TrustSet
  readonly hpkePublicKey: Buffer
  /** Where set, evidence is not answered before it resolves. */
  holdEvidence: Promise<void> | undefined
  /** Connections that are open now. */
  connections(): Promise<number>
  close(): Promise<void>
}

const listing = (id: string) => ({
  id,
  name: id,
  provider: 'scripted',
  type: 'chat',
  context_length: 32_768,
  pricing: { input_per_1M_tokens: 1, output_per_1M_tokens: 2 },
})

/**
 * A service with an enclave behind it, as small as one can be, whose answers are scripted. Its evidence is the sandbox's,
 * real and signed by the roots in `folder`.
 */
export async function startScriptedService({
  folder,
  models,
  script,
}: {
  folder: string
  models: readonly string[]
  script: Script
}): Promise<ScriptedService> {
  const roots = await loadRoots(folder, () => true)
  const enclave = new Enclave()
  const desk = new EvidenceDesk(() => Promise.resolve(roots), enclave, new FaultSwitches(), Date.now)
  const publicKey = rawX25519(enclave.keys.hpke.publicKey)
  const pair = native.keyPair(
    enclave.keys.hpke.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32),
  )
  await desk.bundle()

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0] ?? ''
    if (request.method === 'GET' && path.endsWith('/models'))
      return json(response, { data: models.map(listing) })
    if (request.method === 'GET' && path.endsWith('/attestation')) {
      await service.holdEvidence
      return json(response, JSON.parse(await desk.bundle()))
    }
    // What else may be looked up costs nothing and is not scripted: there is none of it.
    if (request.method === 'GET')
      return void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"unknown"}')
    const body = await whole(request)
    if (path === '/accounts/create')
      return json(response, {
        credit_id: 'scripted-credit-0001',
        api_key: 'sk-scripted-000000000000',
        balance: 1,
      })
    if (path === '/credits/balance') return json(response, { balance: 1 })
    const encapsulated = request.headers['ehbp-encapsulated-key']
    if (typeof encapsulated === 'string')
      return serveSealed(request, response, path, body, Buffer.from(encapsulated, 'hex'))
    await script(
      { path, headers: request.headers, sealed: false, plain: body },
      answering(response, {}, (piece) => piece),
    )
  }

  async function serveSealed(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    framed: Buffer,
    encapsulated: Buffer,
  ): Promise<void> {
    const secret = encap(
      native,
      { publicKey: encapsulated, agree: () => pair.agree(encapsulated) },
      publicKey,
    )
    if (secret === undefined) throw new Error('no usable encapsulated key')
    const context = keySchedule(native, secret)
    const opened: Uint8Array[] = []
    const opener = native.aead(context.key)
    for (let at = 0; at < framed.byteLength; at += 4 + framed.readUInt32BE(at)) {
      const piece = opener.open(
        sequenceNonce(context.baseNonce, opened.length),
        framed.subarray(at + 4, at + 4 + framed.readUInt32BE(at)),
      )
      if (piece === undefined) throw new Error('not sealed to this key')
      opened.push(piece)
    }
    const nonce = randomBytes(32)
    const keys = deriveResponseKeys(
      native,
      exportSecret(native, context, 'ehbp response'),
      encapsulated,
      nonce,
    )
    const aead = native.aead(keys.key)
    let sequence = 0
    const seal = (piece: Uint8Array): Buffer => {
      const frame = Buffer.allocUnsafeSlow(4 + piece.byteLength + 16)
      frame.writeUInt32BE(piece.byteLength + 16)
      aead.seal(sequenceNonce(keys.baseNonce, sequence++), piece, frame, 4)
      return frame
    }
    await script(
      { path, headers: request.headers, sealed: true, plain: Buffer.concat(opened) },
      answering(response, { 'ehbp-response-nonce': nonce.toString('hex') }, seal),
    )
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${String(port)}`
  const service: ScriptedService = {
    baseUrl,
    port,
    profile: sandboxProfile(baseUrl),
    trust: roots.trust,
    hpkePublicKey: publicKey,
    holdEvidence: undefined,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((failure, count) => (failure ? reject(failure) : resolve(count))),
      ),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return service
}

function answering(
  response: ServerResponse,
  baseHeaders: Record<string, string>,
  seal: (piece: Uint8Array) => Uint8Array,
): Answering {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return {
    gone: gone.signal,
    begin: (headers, status = 200) => void response.writeHead(status, { ...baseHeaders, ...headers }),
    write: (piece) => response.write(seal(piece)),
    drained: () =>
      new Promise((resolve) => {
        const settle = (): void => {
          response.off('drain', settle)
          response.off('close', settle)
          resolve()
        }
        if (gone.signal.aborted || !response.writableNeedDrain) return resolve()
        response.on('drain', settle)
        response.on('close', settle)
      }),
    end: (piece, trailers = {}) => {
      if (piece !== undefined) response.write(seal(piece))
      response.addTrailers(trailers)
      response.end()
    },
    cut: () => response.destroy(),
  }
}

async function whole(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
