import { describe, expect, it } from 'vitest'
import type { Contact } from '../../src/shared/contact.ts'
import type { Model } from '../../src/shared/model.ts'
import type { Proof } from '../../src/shared/proof.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { Status } from '../../src/shared/status.ts'
import type { Verdict } from '../../src/shared/verdict.ts'
import type { VerifiedEnclave } from '../../src/shared/verified-enclave.ts'
import { bootEnclave, tlsFingerprint } from '../../src/sandbox/world/enclave.ts'
import { formsOf } from '../canary.ts'
import {
  ANSWER,
  createDirectNetwork,
  MODEL_ENCLAVE,
  OWN_MODEL,
  PROVIDER_KEY,
  ROUTED_MODEL,
  ROUTER,
  UNPRICED_MODEL,
  type DirectNetwork,
  type TestEnclave,
} from '../direct-network.ts'
import { startWorld, type World } from '../world.ts'

const CANARY = 'the "badger" digs\nbeneath Gärtnerstraße 3'
const HOUR = 3600_000
const DAY = 24 * HOUR

interface Started extends AsyncDisposable {
  readonly world: World
  readonly network: DirectNetwork
}

async function start({ connected = true, own: hasModelEnclave = true } = {}): Promise<Started> {
  const clock = { ahead: 0 }
  const network = createDirectNetwork({ hasModelEnclave, now: () => Date.now() + clock.ahead })
  const world = await startWorld({ profile: () => network.profile, fetch: () => network.fetch })
  Object.defineProperty(clock, 'ahead', { get: () => world.clock.ahead })
  if (connected) await world.call('accounts/connect', { apiKey: PROVIDER_KEY })
  return { world, network, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

const ask = (world: World, model: string, more: object = {}): Promise<Response> =>
  world.post({ model, messages: [{ role: 'user', content: CANARY }], ...more })

async function receiptOf(world: World, response: Response): Promise<Receipt> {
  await response.text()
  return (await world.call('receipts/get', { receiptId: response.headers.get('x-sotto-receipt') })) as Receipt
}

async function refusal(response: Response): Promise<[number, unknown]> {
  const { error } = (await response.json()) as { error: { code: unknown } }
  return [response.status, error.code]
}

const hostOf = (url: string): string => new URL(url).host

describe('private chat without a service', () => {
  it.each([
    [ROUTED_MODEL, ROUTER, false],
    [ROUTED_MODEL, ROUTER, true],
    [OWN_MODEL, MODEL_ENCLAVE, false],
    [OWN_MODEL, MODEL_ENCLAVE, true],
  ])('%s is sealed to %s (streamed: %s)', async (model, origin, stream) => {
    await using started = await start()
    const { world, network } = started
    const response = await ask(world, model, { stream })
    expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'sealed'])
    const text = await response.clone().text()
    expect(text).toContain(ANSWER)
    expect(await receiptOf(world, response)).toMatchObject({
      privacy: 'sealed',
      outcome: 'complete',
      model,
      service: 'service',
      enclave: { host: hostOf(origin) },
      usage: { prompt: 100, completion: 20 },
      // 100 tokens at $1.50 and 20 at $2.25 per million.
      cost: '195000000',
    })
    const [post] = network.posts()
    expect(network.posts()).toHaveLength(1)
    expect(post?.url).toBe(`${origin}/v1/chat/completions`)
    expect(
      Object.keys(post?.init.headers ?? {})
        .map((name) => name.toLowerCase())
        .sort(),
    ).toEqual(['authorization', 'content-type', 'ehbp-encapsulated-key'])
    const [opened] = (model === OWN_MODEL ? network.model : network.router).opened
    expect(opened).toMatchObject({
      model: model.slice('private/'.length),
      user_cache_secret: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    })
  })

  it('sends neither the prompt nor the reply in plaintext, and the key only to enclaves in one header', async () => {
    await using started = await start()
    const { world, network } = started
    for (const model of [ROUTED_MODEL, OWN_MODEL]) await (await ask(world, model)).text()
    const bytes = network.bytes()
    expect(bytes.length).toBeGreaterThan(1000)
    expect(formsOf(CANARY, bytes)).toEqual([])
    expect(formsOf('user_cache_secret', bytes)).toEqual([])
    for (const {
      url,
      init: { method, headers },
    } of network.sent) {
      const { authorization, ...others } = headers
      expect(authorization).toBe(method === 'POST' ? `Bearer ${PROVIDER_KEY}` : undefined)
      expect(JSON.stringify([url, others])).not.toContain(PROVIDER_KEY)
      expect([ROUTER, MODEL_ENCLAVE]).toContain(new URL(url).origin)
    }
    // The proxy above the network recorded nothing: there is no other way out.
    expect(world.outbound).toEqual([])
  })

  it('requests evidence from each enclave with a new nonce, and again after an hour', async () => {
    await using started = await start()
    const { world, network } = started
    for (let count = 0; count < 2; count++)
      for (const model of [ROUTED_MODEL, OWN_MODEL]) await (await ask(world, model)).text()
    const evidence = () => network.sent.filter(({ url }) => url.includes('/.well-known/'))
    expect(evidence().map(({ url }) => new URL(url).origin)).toEqual([ROUTER, MODEL_ENCLAVE])
    world.clock.ahead = HOUR + 1000
    expect((await ask(world, ROUTED_MODEL)).status).toBe(200)
    expect(evidence()).toHaveLength(3)
    const nonces = evidence().map(({ url }) => new URL(url).searchParams.get('nonce'))
    expect(nonces.every((nonce) => /^[0-9a-f]{64}$/.test(nonce ?? ''))).toBe(true)
    expect(new Set(nonces).size).toBe(3)
    for (const { url, init } of network.sent) {
      expect(url).not.toContain('hpke-keys')
      expect(init.headers).not.toHaveProperty('x-tinfoil-enclave-url')
    }
  })

  it('seals again, once, if the enclave has a new key', async () => {
    await using started = await start()
    const { world, network } = started
    await (await ask(world, OWN_MODEL)).text()
    network.model.keys = { ...network.model.keys, hpke: bootEnclave().hpke }
    const response = await ask(world, OWN_MODEL)
    expect([response.status, (await receiptOf(world, response)).outcome]).toEqual([200, 'complete'])
    expect(network.posts()).toHaveLength(3)
    expect(network.model.opened).toHaveLength(2)
  })
})

describe('the connection of a request', () => {
  it('must have the TLS key that the enclave’s own verdict names', async () => {
    await using started = await start()
    const { world, network } = started
    for (const model of [ROUTED_MODEL, OWN_MODEL]) await (await ask(world, model)).text()
    expect(network.posts().map(({ init }) => init.tlsKey)).toEqual(
      [network.router, network.model].map(({ keys }) => tlsFingerprint(keys).toString('hex')),
    )
    expect(new Set(network.posts().map(({ init }) => init.tlsKey)).size).toBe(2)
  })

  it('carries nothing if another server terminates it, even with a trusted certificate and genuine evidence', async () => {
    await using started = await start()
    const { world, network } = started
    network.router.connectionKeys = bootEnclave()
    const response = await ask(world, ROUTED_MODEL)
    const { error } = (await response.clone().json()) as { error: { code: unknown } }
    expect([response.status, error.code, response.headers.get('x-sotto-privacy')]).toEqual([
      502,
      'channel/tls-key-differs',
      'refused',
    ])
    const receipt = await receiptOf(world, response)
    expect(receipt).toMatchObject({
      privacy: 'refused',
      outcome: 'refused',
      bytesSent: 0,
      code: 'channel/tls-key-differs',
    })
    expect(receipt).not.toHaveProperty('enclave')
    // Each of two verdicts was tried once. Neither the key nor the sealed prompt left.
    expect([network.posts(), network.stayed(), network.router.opened]).toEqual([[], 2, []])
    expect(formsOf(PROVIDER_KEY, network.bytes())).toEqual([])
    // The other enclave is reached all the same.
    expect((await ask(world, OWN_MODEL)).status).toBe(200)
  })

  it('is retried once with the key of a new verdict after the enclave restarts', async () => {
    await using started = await start()
    const { world, network } = started
    await (await ask(world, ROUTED_MODEL)).text()
    network.router.keys = bootEnclave()
    const response = await ask(world, ROUTED_MODEL)
    expect([response.status, response.headers.get('x-sotto-privacy')]).toEqual([200, 'sealed'])
    expect(await receiptOf(world, response)).toMatchObject({ privacy: 'sealed', outcome: 'complete' })
    expect([network.stayed(), network.posts().length, network.router.opened.length]).toEqual([1, 2, 2])
  })
})

describe('an enclave that fails verification', () => {
  it.each<[string, (enclave: TestEnclave) => void, string]>([
    [
      'runs code of another repository',
      (enclave) => {
        enclave.repository = 'somebody-else/enclave'
      },
      'sigstore/repository-mismatch',
    ],
    [
      'has a witness of eight days ago',
      (enclave) => {
        enclave.changes = { codeWitness: { loggedAt: Math.floor(Date.now() / 1000) * 1000 - 8 * DAY } }
      },
      'freshness/stale',
    ],
    [
      'names another nonce',
      (enclave) => {
        enclave.changes = { nonce: Buffer.alloc(32, 1) }
      },
      'envelope/nonce-mismatch',
    ],
    [
      'had another nonce signed',
      (enclave) => {
        enclave.changes = { reportNonce: Buffer.alloc(32, 1) }
      },
      'envelope/report-data-mismatch',
    ],
    [
      'has no key to seal to',
      (enclave) => {
        enclave.changes = { cryptoItems: (items) => items.filter(({ id }) => id !== 'hpke') }
      },
      'keys/missing',
    ],
    [
      'answers with document v2',
      (enclave) => {
        enclave.document = Buffer.from('{"format":"https://tinfoil.sh/predicate/sev-snp-guest/v2","body":""}')
      },
      'envelope/unsupported-format',
    ],
  ])('gets nothing if it %s', async (_, change, code) => {
    for (const [model, which] of [
      [ROUTED_MODEL, 'router'],
      [OWN_MODEL, 'model'],
    ] as const) {
      await using started = await start()
      const { world, network } = started
      change(network[which])
      const response = await ask(world, model)
      const { error } = (await response.json()) as { error: { code: string; step_code?: string } }
      expect([response.status, error.code]).toEqual([502, 'attestation/failed'])
      expect(network.posts()).toEqual([])
      const verdict = (
        which === 'router'
          ? await world.call('privacy/current')
          : ((await world.call('privacy/others')) as Verdict[])[0]
      ) as Verdict
      expect(verdict).toMatchObject({
        good: false,
        enclaveHost: hostOf(which === 'router' ? ROUTER : MODEL_ENCLAVE),
        failure: { code },
      })
    }
  })

  it('isn’t accepted because of valid evidence of another enclave', async () => {
    await using started = await start()
    const { world, network } = started
    expect((await ask(world, ROUTED_MODEL)).status).toBe(200)
    // The router's own machine, keys and release, at the address of the model's enclave.
    Object.assign(network.model, { keys: network.router.keys, repository: network.router.repository })
    expect(await refusal(await ask(world, OWN_MODEL))).toEqual([502, 'attestation/failed'])
    expect(network.posts()).toHaveLength(1)
    // And the refusal of the one doesn't end the verdict on the other.
    expect((await ask(world, ROUTED_MODEL)).status).toBe(200)
  })

  it('can’t replay a document, even its own', async () => {
    await using started = await start()
    const { world, network } = started
    network.router.document = await network.mint(network.router, Buffer.alloc(32, 9))
    expect(await refusal(await ask(world, ROUTED_MODEL))).toEqual([502, 'attestation/failed'])
    expect(await world.call('privacy/current')).toMatchObject({
      good: false,
      failure: { step: 'v3/nonce', code: 'envelope/nonce-mismatch' },
    })
  })

  it('gets no new verdict more than seven days after its freshness witness', async () => {
    await using started = await start()
    const { world, network } = started
    const loggedAt = Math.floor(Date.now() / 1000) * 1000 - 7 * DAY + 10 * 60_000
    network.router.changes = { platformWitness: { loggedAt } }
    expect(await world.call('privacy/verify')).toMatchObject({ good: true, validUntil: loggedAt + 7 * DAY })
    world.clock.ahead = 11 * 60_000
    expect(await refusal(await ask(world, ROUTED_MODEL))).toEqual([502, 'attestation/failed'])
    expect(network.posts()).toEqual([])
  })
})

describe('the information about enclaves', () => {
  it('a verdict has every step of fresh evidence except the comparison with a service, and has its own proof', async () => {
    await using started = await start()
    const { world } = started
    const verdict = (await world.call('privacy/verify')) as Verdict
    expect(verdict).toMatchObject({
      good: true,
      enclaveHost: hostOf(ROUTER),
      freshness: { kind: 'nonce-bound' },
      machine: { policy: 'sandbox-genoa' },
      release: { repository: 'sotto-sandbox/enclave' },
    })
    const ids = verdict.steps.map(({ id }) => id)
    expect(ids).not.toContain('v3/same-enclave')
    expect(ids).toEqual(
      expect.arrayContaining([
        'v3/nonce',
        'v3/machine',
        'v3/keys',
        'release/minimum-log-time',
        'measurement/pinned',
        'release/not-older',
      ]),
    )
    expect(verdict.steps.filter(({ outcome }) => outcome === 'not-checked').map(({ id }) => id)).toEqual([
      'v3/devices',
      'release/minimum-log-time',
      'measurement/pinned',
      'release/pinned',
      'tls/connection',
      'release/trusted',
    ])
    const proof = (await world.call('privacy/proof', {})) as Proof
    expect(proof).toMatchObject({
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      policy: { enclaveHost: hostOf(ROUTER) },
      verdict: { good: true },
    })
    expect(proof.fresh).toBeUndefined()
  })

  it('the history, the list of hosts and the status name each enclave', async () => {
    await using started = await start()
    const { world } = started
    for (const model of [ROUTED_MODEL, OWN_MODEL]) await (await ask(world, model)).text()
    const history = (await world.call('privacy/history')) as VerifiedEnclave[]
    expect(history.map(({ enclaveHost, release }) => [enclaveHost, release?.repository]).sort()).toEqual([
      [hostOf(MODEL_ENCLAVE), 'sotto-sandbox/model-enclave'],
      [hostOf(ROUTER), 'sotto-sandbox/enclave'],
    ])
    expect(await world.call('privacy/others')).toMatchObject([
      { good: true, enclaveHost: hostOf(MODEL_ENCLAVE) },
    ])
    const contacts = (await world.call('diagnostics/contacts')) as Contact[]
    expect(contacts.map(({ host, use }) => [host, use])).toEqual([
      [hostOf(ROUTER), 'enclave-direct'],
      [hostOf(MODEL_ENCLAVE), 'enclave-direct'],
    ])
    expect(((await world.call('app/status')) as Status).service).toMatchObject({
      direct: true,
      enclaveHost: hostOf(ROUTER),
    })
    expect(await world.call('privacy/choices')).toMatchObject({ freshEvidence: null })
  })

  it('a pin applies to every enclave', async () => {
    await using started = await start()
    const { world, network } = started
    await (await ask(world, ROUTED_MODEL)).text()
    await (await ask(world, OWN_MODEL)).text()
    const [line] = (await world.call('privacy/history')) as VerifiedEnclave[]
    expect(await world.call('privacy/pin', { enclaveId: line?.id })).toMatchObject({
      pins: [{ platform: 'sevSnp' }],
    })
    expect((await ask(world, ROUTED_MODEL)).status).toBe(200)
    network.model.release = 'older'
    await world.call('privacy/verify')
    expect(await refusal(await ask(world, OWN_MODEL))).toEqual([502, 'attestation/failed'])
    expect(await world.call('privacy/others')).toMatchObject([
      { good: false, failure: { code: 'measurement/not-pinned' } },
    ])
  })

  it('models have the provider’s IDs below private/, and its prices only if these are complete', async () => {
    await using started = await start()
    const { world } = started
    const models = (await world.call('models/list')) as Model[]
    expect(models.map(({ id }) => id)).toEqual([ROUTED_MODEL, OWN_MODEL, UNPRICED_MODEL])
    expect(models.every((model) => model.private)).toBe(true)
    expect(models[0]).toMatchObject({
      inputPerMillion: '1500000000000',
      outputPerMillion: '2250000000000',
      inputModalities: ['text', 'image'],
    })
    expect(models[2]).not.toHaveProperty('inputPerMillion')
    expect(models[2]).not.toHaveProperty('outputPerMillion')
  })
})

describe('the local API', () => {
  it('lists the provider’s models and the verdict on its router', async () => {
    await using started = await start()
    const { world } = started
    await (await ask(world, ROUTED_MODEL)).text()
    const get = async (path: string): Promise<unknown> =>
      (
        await fetch(`${world.baseUrl.replace(/\/v1$/, '')}${path}`, {
          headers: { authorization: `Bearer ${world.key}` },
        })
      ).json()
    expect(await get('/v1/models')).toMatchObject({
      data: [{ id: ROUTED_MODEL }, { id: OWN_MODEL }, { id: UNPRICED_MODEL }],
    })
    expect(await get('/health')).toMatchObject({
      status: 'ok',
      attestation: { verified: true, enclave: hostOf(ROUTER) },
    })
  })
})

describe('a provider without a service', () => {
  it('gets nothing without a key', async () => {
    await using started = await start({ connected: false })
    const { world, network } = started
    expect(await refusal(await ask(world, ROUTED_MODEL))).toEqual([401, 'service/no-account'])
    expect(network.posts()).toEqual([])
  })

  it('saves a key without a confirmation, and refuses a credit ID', async () => {
    await using started = await start({ connected: false })
    const { world, network } = started
    expect(
      await world.call('accounts/connect', { apiKey: PROVIDER_KEY, creditId: 'credit-id-1' }),
    ).toMatchObject({ data: { code: 'service/not-offered' } })
    expect(await world.call('accounts/connect', { apiKey: PROVIDER_KEY })).toMatchObject({
      account: { connected: true },
    })
    expect(network.sent).toEqual([])
  })

  it.each<[string, unknown]>([
    ['accounts/create', {}],
    ['accounts/balance', undefined],
    ['serviceKeys/list', {}],
    ['topups/methods', undefined],
    ['history/page', { filter: { from: '2026-11-01', until: '2026-11-20' } }],
    ['wallet/automaticTopup', undefined],
    ['purchases/dataEndpoints', undefined],
    ['voice/prices', undefined],
  ])('refuses %s with one code, and contacts no enclave', async (path, input) => {
    await using started = await start()
    const { world, network } = started
    expect(await world.call(path, input)).toMatchObject({ data: { code: 'service/not-offered' } })
    expect(network.sent).toEqual([])
  })

  it.each<[string, unknown]>([
    ['/v1/images/generations', { model: 'x/y', prompt: CANARY }],
    ['/v1/embeddings', { model: 'embeds', input: CANARY }],
    ['/v1/audio/speech', { model: 'x', input: CANARY, voice: 'y' }],
    ['/v1/videos', { model: 'x/y', prompt: CANARY }],
  ])('refuses %s and sends nothing', async (path, body) => {
    await using started = await start()
    const { world, network } = started
    const response = await world.post(body, {}, path)
    expect(await refusal(response)).toEqual([400, 'service/not-offered'])
    expect(network.posts()).toEqual([])
    expect(formsOf(CANARY, network.bytes())).toEqual([])
  })

  it.each(['routed-8b', 'private/embeds', 'private/other'])(
    'sends nothing for the unknown model %s',
    async (model) => {
      await using started = await start()
      const { world, network } = started
      expect((await refusal(await ask(world, model)))[1]).toBe('model/unknown')
      expect(network.posts()).toEqual([])
    },
  )

  it('refuses a model without a price if the key has a budget', async () => {
    await using started = await start()
    const { world, network } = started
    const created = (await world.call('localApi/create', {
      name: 'limited',
      limits: { budget: { picoUsd: '1000000000000', period: 'total' } },
    })) as { secret?: string }
    const response = await world.post(
      { model: UNPRICED_MODEL, messages: [] },
      { authorization: `Bearer ${created.secret ?? ''}` },
    )
    expect(await refusal(response)).toEqual([402, 'budget/price-unknown'])
    expect(network.posts()).toEqual([])
  })
})
