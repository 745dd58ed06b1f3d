import { bootEnclave, tlsFingerprint, type EnclaveKeys } from '../src/sandbox/world/enclave.ts'
import { decryptRequest, SealedRequestError } from '../src/sandbox/ehbp/exchange.ts'
import { sandboxProfile, repository as routerRepository } from '../src/sandbox/profile.ts'
import { mintDocument, type DocumentRequest } from '../src/sandbox/world/v3/document.ts'
import { OtherTlsKeyError, type Fetch, type FetchInit } from '../src/shared/fetch.ts'
import { profileSchema, type Profile } from '../src/shared/profile.ts'
import { createTestWorld } from './sandbox/v3/test-world.ts'

export const ROUTER = 'https://router.direct-network.example'
export const MODEL_ENCLAVE = 'https://model.direct-network.example'
const MODEL_REPOSITORY = 'sotto-sandbox/model-enclave'
export const PROVIDER_KEY = 'tk_testOnlyTestOnlyTestOnly22'
/** Behind the router. */
export const ROUTED_MODEL = 'private/routed-8b'
/** In an enclave of its own. */
export const OWN_MODEL = 'private/own-70b'
/** Of one with a price that isn't known. */
export const UNPRICED_MODEL = 'private/unpriced-8b'
export const ANSWER = 'The enclave of this network gives the same answer to everybody.'

/** One enclave, and what a test changes of it. */
export interface TestEnclave {
  keys: EnclaveKeys
  /** Of the signed release in its documents. */
  repository: string
  release?: 'older'
  /** Changes of each document. */
  changes: Partial<DocumentRequest>
  /** Answers this document, whatever it is asked. */
  document?: Buffer | undefined
  /** What ends the connections of requests in its place. */
  connectionKeys?: EnclaveKeys | undefined
  /** The bodies that it opened, parsed. */
  readonly opened: Record<string, unknown>[]
}

export interface Sent {
  readonly url: string
  readonly init: FetchInit
}

/** A provider without a service: a router's enclave, and one of a model with another repository. Nothing leaves the process. */
export interface DirectNetwork {
  readonly profile: Profile
  readonly router: TestEnclave
  readonly model: TestEnclave
  readonly fetch: Fetch
  readonly sent: Sent[]
  /** Every URL, header and body byte. */
  bytes(): Buffer
  /** A document as the enclave makes it for a nonce. */
  mint(enclave: TestEnclave, nonce: Uint8Array): Promise<Buffer>
  posts(): readonly Sent[]
  /** How many requests weren't sent, because the connection had another key than the required one. */
  stayed(): number
}

/** @param models without enclaves of their own, the router takes all */
export function createDirectNetwork({
  hasModelEnclave = true,
  now = Date.now,
}: { readonly hasModelEnclave?: boolean; readonly now?: () => number } = {}): DirectNetwork {
  const router: TestEnclave = { keys: bootEnclave(), repository: routerRepository, changes: {}, opened: [] }
  const model: TestEnclave = { keys: bootEnclave(), repository: MODEL_REPOSITORY, changes: {}, opened: [] }
  const enclaves = new Map([
    [ROUTER, router],
    [MODEL_ENCLAVE, model],
  ])
  const sent: Sent[] = []
  let stayed = 0

  async function mint(enclave: TestEnclave, nonce: Uint8Array): Promise<Buffer> {
    const world = await createTestWorld({
      keys: enclave.keys,
      now: Math.floor(now() / 1000) * 1000,
      ...(enclave.release && { faults: new Set(['older-release'] as const) }),
    })
    return Buffer.from(
      JSON.stringify(
        mintDocument(world, { nonce, code: { run: { repository: enclave.repository } }, ...enclave.changes }),
      ),
    )
  }

  const fetch: Fetch = async (url, init) => {
    const { origin, pathname, searchParams } = new URL(url)
    const enclave = enclaves.get(origin)
    if (!enclave) throw new Error(`no such host: ${origin}`)
    // Evidence is accepted over any connection, as in a network that someone intercepts.
    if (
      init.tlsKey !== undefined &&
      init.tlsKey !== tlsFingerprint(enclave.connectionKeys ?? enclave.keys).toString('hex')
    ) {
      stayed += 1
      throw new OtherTlsKeyError()
    }
    sent.push({ url, init })
    const { method, body } = init
    const headers = Object.fromEntries(
      Object.entries(init.headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    if (method === 'GET' && pathname === '/.well-known/tinfoil-attestation') {
      return response(
        200,
        enclave.document ?? (await mint(enclave, Buffer.from(searchParams.get('nonce') ?? '', 'hex'))),
      )
    }
    if (method === 'GET' && pathname === '/v1/models' && enclave === router)
      return response(200, Buffer.from(JSON.stringify(LISTING)))
    if (method !== 'POST' || pathname !== '/v1/chat/completions' || !(body instanceof Uint8Array))
      return response(404, Buffer.from('{}'))
    if (headers['authorization'] !== `Bearer ${PROVIDER_KEY}`)
      return response(401, Buffer.from('{"error":{"message":"bad key","type":"authentication_error"}}'))
    try {
      const opened = decryptRequest(
        headers['ehbp-encapsulated-key'] ?? '',
        Buffer.from(body),
        enclave.keys.hpke,
      )
      const asked = JSON.parse(opened.body.toString('utf8')) as Record<string, unknown>
      enclave.opened.push(asked)
      const sealer = opened.sealResponse()
      const stream = asked['stream'] === true
      return response(200, sealer.frame(Buffer.from(stream ? events() : completion())), {
        'ehbp-response-nonce': sealer.nonce,
        'content-type': stream ? 'text/event-stream' : 'application/json',
      })
    } catch (error) {
      if (!(error instanceof SealedRequestError)) throw error
      return response(422, Buffer.from('{"type":"urn:ietf:params:ehbp:error:key-config","title":"key"}'), {
        'content-type': 'application/problem+json',
      })
    }
  }

  return {
    profile: profileOf(hasModelEnclave),
    router,
    model,
    fetch,
    sent,
    mint,
    stayed: () => stayed,
    bytes: () =>
      Buffer.concat(
        sent.map(({ url, init: { method, headers, body } }) =>
          Buffer.concat([
            Buffer.from(`${method} ${url}\n${JSON.stringify(headers)}\n`),
            typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0),
          ]),
        ),
      ),
    posts: () => sent.filter(({ init }) => init.method === 'POST'),
  }
}

/** The sandbox's platform rules, with the network's hosts. */
function profileOf(hasModelEnclave: boolean): Profile {
  const { policy, revision, lightningNetwork } = sandboxProfile(ROUTER)
  const { nitro: _nitro, ...platforms } = policy ?? {}
  return profileSchema.parse({
    id: 'direct-network',
    name: 'Direct network',
    kind: 'service',
    baseUrl: ROUTER,
    revision,
    lightningNetwork,
    policy: { ...platforms, enclaveHost: new URL(ROUTER).hostname },
    direct: {
      enclaves: hasModelEnclave
        ? [
            {
              models: [OWN_MODEL.slice('private/'.length)],
              origin: MODEL_ENCLAVE,
              repository: MODEL_REPOSITORY,
            },
          ]
        : [],
    },
  })
}

const pricing = { inputTokenPricePer1M: 1.5, outputTokenPricePer1M: 2.25, requestPrice: 0 }
const LISTING = {
  object: 'list',
  data: [
    { id: 'routed-8b', object: 'model', type: 'chat', context_window: 131072, multimodal: true, pricing },
    { id: 'own-70b', object: 'model', pricing },
    { id: 'unpriced-8b', object: 'model', type: 'chat', pricing: { ...pricing, requestPrice: 0.01 } },
    { id: 'embeds', object: 'model', type: 'embedding', pricing },
  ],
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

function completion(): string {
  return JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: ANSWER }, finish_reason: 'stop' }],
    usage,
  })
}

function events(): string {
  const chunk = (more: object): string =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], ...more })}\n\n`
  return [
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: ANSWER }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ usage }),
    'data: [DONE]\n\n',
  ].join('')
}

function response(
  status: number,
  bytes: Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Awaited<ReturnType<Fetch>> {
  return {
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    body: (async function* () {
      yield await Promise.resolve(bytes)
    })(),
  }
}
