import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  connectAutomaticTopup,
  disconnectAutomaticTopup,
} from '../../../../src/core/gateway/service/account/automatic-topup.ts'
import { createAccount } from '../../../../src/core/gateway/service/account/create-account.ts'
import { createKey, revokeKey, updateKey } from '../../../../src/core/gateway/service/account/keys.ts'
import { readAutomaticTopup } from '../../../../src/core/gateway/service/account/read/automatic-topup.ts'
import { readBalance } from '../../../../src/core/gateway/service/account/read/balance.ts'
import { readHistory } from '../../../../src/core/gateway/service/account/read/history.ts'
import { getKey, listKeys } from '../../../../src/core/gateway/service/account/read/keys.ts'
import { readPaymentMethods } from '../../../../src/core/gateway/service/account/read/payment-methods.ts'
import { readTopupStatus } from '../../../../src/core/gateway/service/account/read/topup-status.ts'
import { createTopup } from '../../../../src/core/gateway/service/account/topup.ts'
import type { ServiceAccess } from '../../../../src/core/gateway/service/http/access.ts'
import { PaymentRequiredError } from '../../../../src/core/gateway/service/http/payment-required.ts'
import { jsonBody, perform, type Service } from '../../../../src/core/gateway/service/http/perform.ts'
import { audioModelsRequest } from '../../../../src/core/gateway/service/inference/audio-models.ts'
import { startChatCompletion } from '../../../../src/core/gateway/service/inference/chat.ts'
import { listDataEndpoints } from '../../../../src/core/gateway/service/inference/data.ts'
import { dataEndpointsOf } from '../../../../src/core/gateway/service/inference/data-endpoints.ts'
import { listMediaModels, listModels } from '../../../../src/core/gateway/service/inference/models.ts'
import { endpoints } from '../../../../src/core/gateway/service/inference/pass-through.ts'
import { listVoices } from '../../../../src/core/gateway/service/inference/voices.ts'
import { createOutboundFetch, type OutboundFetch } from '../../../../src/host/outbound-fetch.ts'
import { startSandbox, type Sandbox } from '../../../../src/sandbox/index.ts'
import { startNostrWallet } from '../../../sandbox/nostr-wallet.ts'
import { startPayableService } from '../../../sandbox/payable-service.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL } from '../../../world.ts'
import { bothOf } from '../../payments/accounts/both-credentials.ts'
import { bytesOf, codeOf, passed, search } from './scripted.ts'

type Revision = 'A' | 'B'

interface Stage {
  readonly revision: Revision
  readonly sandbox: Sandbox
  /**
   * Clients with both credentials of an account, with only its key, with only its credit ID, and without
   * credentials.
   */
  readonly service: Service
  readonly byKey: Service
  readonly byCreditId: Service
  readonly nobody: Service
  /** The client with another key of the same account. */
  readonly as: (apiKey: string) => Service
}

interface Area {
  readonly name: string
  /** The routes that the sandbox has to serve in each revision. */
  readonly routes: Readonly<Record<Revision, readonly string[] | 'absent'>>
  readonly run: (stage: Stage) => Promise<void>
}

const dataRoutes = (revision: Revision): string[] => [
  'GET /v1/data/endpoints',
  ...dataEndpointsOf(revision).map(({ method, path }) => `${method} /v1/data${path}`),
]
/** The calls whose answers are passed on. The proxy and the studio send them. */
const passedOn = (revision: Revision): string[] =>
  [
    endpoints.embeddings,
    endpoints['images/generations'],
    ...(revision === 'B' ? [endpoints['images/edits']] : []),
    endpoints.videos,
  ]
    .map(({ path }) => `POST ${path}`)
    .concat(
      [endpoints['audio/speech'], endpoints['audio/transcriptions']].map(
        ({ path }) => `POST ${revision === 'A' ? '/api' : ''}${path}`,
      ),
      `GET ${endpoints['videos/status'].path}/{id}`,
    )
const inBoth = (...routes: string[]): Area['routes'] => ({ A: routes, B: routes })
const CONNECTION =
  'nostr+walletconnect://69effe7b49a6dd5cf525bd0905917a5005ffe480b58eeb8e861418cf3ae760d9?relay=wss%3A%2F%2Frelay.example&secret=71a8c14c1407c113601079c4302dab36460f0ccd0ad506f1f2dc73b5100e4f3c'
const USD = 1_000_000_000_000n

async function chat(service: Service, model = PLAINTEXT_MODEL): Promise<number> {
  const response = await startChatCompletion(
    service.fetch,
    service.access(),
    Buffer.from(
      JSON.stringify({ model, messages: [{ role: 'user', content: 'Say one word.' }], max_tokens: 8 }),
    ),
    new AbortController().signal,
  )
  await bytesOf(response.body ?? none())
  return response.status
}

const groups: Area[] = [
  {
    name: 'accounts and balance',
    routes: inBoth('POST /accounts/create', 'POST /credits/balance'),
    run: async ({ service, byKey, nobody }) => {
      expect(await createAccount(nobody)).toEqual({
        creditId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        apiKey: expect.stringMatching(/^sk-[A-Za-z0-9]{22}$/) as string,
      })
      const balance = await readBalance(service)
      expect(balance > 0n).toBe(true)
      expect(await readBalance(byKey)).toBe(balance)
      expect(
        await readBalance({
          ...service,
          access: () => ({ ...service.access(), creditId: '00000000-0000-4000-8000-000000000000' }),
        }),
      ).toBe(0n)
      expect(
        await codeOf(
          readBalance({
            ...byKey,
            access: () => ({ ...byKey.access(), apiKey: 'sk-0000000000000000000000' }),
          }),
        ),
      ).toBe('service/key-refused')
    },
  },
  {
    name: 'models',
    routes: { A: ['GET /v1/models', 'GET /v1/media/models'], B: ['GET /v1/models'] },
    run: async ({ nobody, revision }) => {
      const { entries: models } = await listModels(nobody)
      expect(models.some(({ id }) => id === PLAINTEXT_MODEL)).toBe(true)
      expect(models.some(({ id }) => id === PRIVATE_MODEL)).toBe(revision === 'B')
      expect(models.find(({ id }) => id === PLAINTEXT_MODEL)).toMatchObject({
        inputPerMillion: expect.stringMatching(/^\d+$/) as string,
        outputPerMillion: expect.stringMatching(/^\d+$/) as string,
        contextLength: expect.any(Number) as number,
        provider: 'Sotto Sandbox',
        addedAt: expect.any(Number) as number,
        averageCost: expect.stringMatching(/^\d+$/) as string,
        promptsPerDollar: expect.any(Number) as number,
        webSearch: '20000000000',
      })
      expect((await listModels(nobody, { type: 'embedding' })).entries.map(({ type }) => type)).toContain(
        'embedding',
      )
      const { entries: media } = await listMediaModels(nobody)
      expect(new Set(media.map(({ type }) => type))).toEqual(new Set(['image', 'video']))
      for (const { id, mediaPrice } of media)
        expect([id, mediaPrice]).toEqual([
          id,
          expect.objectContaining({ tables: expect.any(Array) as unknown }),
        ])
    },
  },
  {
    name: 'keys',
    routes: inBoth('GET /keys', 'POST /keys', 'GET /keys/{id}', 'PATCH /keys/{id}', 'DELETE /keys/{id}'),
    run: async ({ service, byCreditId, as }) => {
      const created = await createKey(byCreditId, {
        name: 'Editor',
        spendingCap: 0.5,
        resetPeriod: 'daily',
        expiresAt: Date.now() + 86_400_000,
      })
      expect(created).toMatchObject({
        name: 'Editor',
        spendingCap: USD / 2n,
        resetPeriod: 'daily',
        resetsAt: expect.any(Number) as number,
        expiresAt: expect.any(Number) as number,
      })
      expect(await readBalance(as(created.apiKey))).toBe(await readBalance(service))
      const { keys } = await listKeys(service)
      expect(keys.map(({ name, apiKey }) => [name, apiKey])).toEqual([
        ['Default', undefined],
        ['Editor', undefined],
      ])
      expect((await listKeys(service, { showKey: true })).keys.map(({ apiKey }) => apiKey)).toEqual([
        service.access().apiKey,
        created.apiKey,
      ])
      expect(await getKey(service, created.id)).toMatchObject({ name: 'Editor', revokedAt: null })
      expect((await getKey(service, created.id, { showKey: true })).apiKey).toBe(created.apiKey)
      expect(
        await updateKey(service, created.id, {
          name: 'Agent',
          spendingCap: null,
          resetPeriod: null,
          expiresAt: null,
        }),
      ).toMatchObject({ name: 'Agent', spendingCap: null, resetPeriod: null, expiresAt: null })
      await expect(createKey(service, { name: 'Agent' })).rejects.toMatchObject({ code: 'service/rejected' })
      await revokeKey(service, created.id)
      expect((await listKeys(service)).keys.map(({ name }) => name)).toEqual(['Default'])
      expect(
        (await listKeys(service, { includeRevoked: true })).keys.find(({ name }) => name === 'Agent')
          ?.revokedAt,
      ).toEqual(expect.any(Number))
      expect(await codeOf(readBalance(as(created.apiKey)))).toBe('service/key-refused')
      expect(await codeOf(getKey(service, 'nokeyhasthisid'))).toBe('service/not-found')
      await expect(createKey(service, { name: 'late', expiresAt: 1 })).rejects.toMatchObject({
        code: 'service/rejected',
        details: { param: 'expire_at' },
      })
    },
  },
  {
    name: 'a capped key and an expired one',
    routes: inBoth(
      'POST /keys',
      'PATCH /keys/{id}',
      'POST /v1/chat/completions',
      'POST /topup/create/{method}',
    ),
    run: async ({ service, as }) => {
      const capped = await createKey(service, { name: 'capped', spendingCap: 0.01 })
      const statuses = await Promise.all(Array.from({ length: 4 }, () => chat(as(capped.apiKey))))
      expect(statuses.every((status) => status === 200 || status === 402)).toBe(true)
      const expiring = await createKey(service, { name: 'expiring', expiresAt: Date.now() + 1500 })
      await expect
        .poll(() =>
          codeOf(
            createTopup(as(expiring.apiKey), { method: 'btc-lightning', amount: 100, currency: 'SATS' }),
          ),
        )
        .toBe('service/key-expired')
    },
  },
  {
    name: 'history',
    routes: inBoth('GET /queries/history', 'POST /v1/chat/completions', 'POST /keys'),
    run: async ({ service, byCreditId, as }) => {
      expect(await chat(service)).toBe(200)
      const other = await createKey(service, { name: 'other' })
      expect(await chat(as(other.apiKey))).toBe(200)
      await expect.poll(async () => (await readHistory(byCreditId)).total).toBe(2)
      const page = await readHistory(byCreditId, { pageSize: 1, page: 2 })
      expect(page).toMatchObject({ page: 2, pageSize: 1, total: 2, pages: 2, unreadable: 0 })
      expect(page.records).toHaveLength(1)
      const mine = await readHistory(service)
      expect(mine.records).toEqual([
        expect.objectContaining({
          model: PLAINTEXT_MODEL,
          source: 'api',
          type: 'chat_completion',
          online: false,
          freeModel: false,
          inputTokens: expect.any(Number) as number,
          cost: expect.any(BigInt) as bigint,
        }),
      ])
      expect((await readHistory(service, { allKeys: true })).total).toBe(2)
      expect((await readHistory(service, { apiKey: other.apiKey })).total).toBe(1)
      expect((await readHistory(service, { apiKey: other.id })).total).toBe(1)
      expect((await readHistory(service, { model: 'no/such-model' })).total).toBe(0)
      const today = new Date().toISOString().slice(0, 10)
      expect((await readHistory(service, { from: today, until: today })).total).toBe(1)
      expect((await readHistory(service, { until: '2020-01-01' })).records).toEqual([])
    },
  },
  {
    name: 'topups',
    routes: inBoth(
      'GET /topup/payment-methods',
      'POST /topup/create/{method}',
      'GET /topup/status/{invoice_id}',
    ),
    run: async ({ service, nobody, sandbox }) => {
      const { entries: methods } = await readPaymentMethods(nobody)
      expect(methods.map(({ method }) => method).sort()).toEqual([
        'btc',
        'btc-lightning',
        'lbtc',
        'ltc',
        'xmr',
      ])
      for (const { method, currencies, limits } of methods) {
        expect(currencies).toContain('USD')
        const smallest = Number(limits['USD']?.min)
        const topup = await createTopup(service, {
          method: method as 'btc',
          amount: smallest,
          currency: 'USD',
        })
        expect(topup).toMatchObject({
          amount: String(smallest),
          currency: 'USD',
          cryptoAmountDue: expect.stringMatching(/^\d+(?:\.\d+)?$/) as string,
          createdAt: expect.any(Number) as number,
          expiresAt: expect.any(Number) as number,
        })
        expect(topup.checkoutUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/checkout\//)
        expect([method, method === 'btc-lightning' ? topup.lightningInvoice : topup.paymentAddress]).toEqual([
          method,
          expect.any(String),
        ])
        expect(await readTopupStatus(service, topup.id)).toMatchObject({
          id: topup.id,
          state: 'new',
          amountPaid: '0',
        })
      }
      const before = await readBalance(service)
      const topup = await createTopup(service, { method: 'btc-lightning', amount: 1, currency: 'USD' })
      expect(topup.lightningInvoice).toMatch(/^lnbcrt/)
      expect(await (await sandbox.control()).settleTopup(topup.id)).toBe('settled')
      expect(await readTopupStatus(service, topup.id)).toMatchObject({ state: 'settled', amountDue: '0' })
      expect((await readBalance(service)) >= before + USD).toBe(true)
      expect(await codeOf(readTopupStatus(service, 'noInvoiceOfThisName'))).toBe('service/not-found')
      await expect(
        createTopup(service, { method: 'btc', amount: 1e9, currency: 'USD' }),
      ).rejects.toMatchObject({ code: 'service/rejected', details: { param: 'amount' } })
    },
  },
  {
    name: 'automatic topup',
    routes: inBoth(
      'POST /nwc-auto-topup/connect',
      'GET /nwc-auto-topup',
      'DELETE /nwc-auto-topup/connection',
    ),
    run: async ({ service, byKey }) => {
      expect(await readAutomaticTopup(service)).toEqual({ connected: false })
      await expect(connectAutomaticTopup(service, { connection: CONNECTION })).rejects.toMatchObject({
        code: 'service/rejected',
        details: { param: 'nwc_url' },
      })
      await using wallet = await startNostrWallet({
        pay: () => Promise.resolve({ code: 'INSUFFICIENT_BALANCE' }),
      })
      await connectAutomaticTopup(service, { connection: wallet.url, threshold: 5, amount: 12.5 })
      expect(await readAutomaticTopup(service)).toEqual({
        connected: true,
        threshold: 5n * USD,
        amount: (25n * USD) / 2n,
      })
      await connectAutomaticTopup(service, { connection: wallet.url })
      expect(await readAutomaticTopup(service)).toEqual({
        connected: true,
        threshold: 10n * USD,
        amount: 10n * USD,
      })
      await disconnectAutomaticTopup(service)
      expect(await readAutomaticTopup(service)).toEqual({ connected: false })
      expect(await codeOf(disconnectAutomaticTopup(service))).toBe('service/not-found')
      expect(await codeOf(readAutomaticTopup(byKey))).toBe('service/no-credit-id')
    },
  },
  {
    name: 'voices and audio models',
    routes: { A: 'absent', B: ['GET /v1/audio/voices', 'GET /v1/audio/models'] },
    run: async ({ nobody }) => {
      const { entries: voices } = await listVoices(nobody)
      expect(voices.some(({ id }) => /-en$/.test(id))).toBe(true)
      const { entries: models } = await perform(nobody, audioModelsRequest)
      expect(models.length).toBeGreaterThan(0)
      for (const { id, price } of models)
        expect([id, price]).toEqual([id, expect.objectContaining({ amount: expect.any(String) as string })])
    },
  },
  {
    name: 'the data endpoints',
    routes: { A: dataRoutes('A'), B: dataRoutes('B') },
    run: async ({ nobody, revision }) => {
      const { entries: listed } = await listDataEndpoints(nobody)
      expect(listed.map(({ path, method }) => `${method} ${path}`).sort()).toEqual(
        dataEndpointsOf(revision)
          .map(({ path, method }) => `${method} ${path}`)
          .sort(),
      )
      for (const { path, price } of listed) expect([path, typeof price]).toEqual([path, 'bigint'])
    },
  },
]

let network: OutboundFetch
const folders: string[] = []
const sandboxes: Partial<Record<Revision, Sandbox>> = {}
beforeAll(async () => {
  network = createOutboundFetch({})
  for (const revision of ['A', 'B'] as const) {
    const folder = await mkdtemp(join(tmpdir(), 'sotto-client-'))
    folders.push(folder)
    sandboxes[revision] = await startSandbox({
      folder,
      pace: 'none',
      revision,
      ledger: 'memory',
      serviceEnclave: true,
    })
  }
})
afterAll(async () => {
  for (const sandbox of Object.values(sandboxes)) await sandbox.close()
  await network.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe.each(['A', 'B'] as const)('the client against the sandbox, Revision %s', (revision) => {
  let stage: Stage
  beforeEach(async () => {
    const sandbox = sandboxes[revision]
    if (!sandbox) throw new Error('no sandbox')
    const place = { baseUrl: sandbox.baseUrl, alternativeBaseUrl: sandbox.baseUrl, revision }
    const as = (access: ServiceAccess): Service => ({ fetch: network.fetch, access: () => access })
    const nobody = as(place)
    const { creditId, apiKey } = bothOf(await createAccount(nobody))
    stage = {
      revision,
      sandbox,
      nobody,
      service: as({ ...place, creditId, apiKey }),
      byKey: as({ ...place, apiKey }),
      byCreditId: as({ ...place, creditId }),
      as: (key) => as({ ...place, apiKey: key }),
    }
  })

  it.each(groups)('$name', async ({ routes, run }) => {
    const needed = routes[revision]
    const served = (await stage.sandbox.control()).routes().map(({ name }) => name)
    if (needed === 'absent') {
      for (const route of routes[revision === 'A' ? 'B' : 'A']) {
        const [method = '', path = ''] = route.split(' ')
        const response = await fetch(`${stage.sandbox.baseUrl}${path}`, { method })
        expect([route, response.status]).toEqual([route, 404])
      }
      return
    }
    expect(needed.filter((route) => !served.includes(route))).toEqual([])
    await run(stage)
  })

  it('nothing that is served is left out, and all that is passed on is served', async () => {
    const covered = groups.flatMap(({ routes }) => (routes[revision] === 'absent' ? [] : routes[revision]))
    // The channel calls the enclaves, after it has verified them.
    const served = (await stage.sandbox.control())
      .routes()
      .map(({ name }) => name)
      .filter(
        (name) =>
          !name.includes(' /private/') &&
          !name.includes(' /.well-known/') &&
          !name.includes(' /service-enclave/') &&
          // An address that an answer names.
          name !== 'GET /v1/media/{id}/{index}',
      )
    const passed = passedOn(revision)
    expect(passed.filter((name) => !served.includes(name))).toEqual([])
    expect(served.filter((name) => !covered.includes(name) && !passed.includes(name))).toEqual([])
  })
})

describe('paying per request, against the sandbox’s own flow', () => {
  it.each(['L402', 'Payment'] as const)('with a %s credential, once', async (form) => {
    await using payable = await startPayableService()
    const nobody: Service = {
      fetch: network.fetch,
      access: () => ({ baseUrl: payable.baseUrl, apiKey: 'sk-never-sent-anywhere1' }),
    }
    const searchFor = (q: string, perRequest: { authorization?: string }): Promise<unknown> =>
      search(nobody, { q }, { perRequest })
    const failure = await searchFor('quiet rooms', {}).catch((thrown: unknown) => thrown)
    if (!(failure instanceof PaymentRequiredError)) throw new Error('nobody asked to be paid')
    const { challenge } = failure
    expect(challenge).toMatchObject({
      scheme: 'payment',
      invoice: expect.stringMatching(/^lnbcrt/) as string,
      expiresAt: expect.any(Number) as number,
      stated: {
        amountSat: expect.stringMatching(/^\d+$/) as string,
        paymentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    })
    const paid = await payable.control.pay(challenge.invoice)
    if (!('preimage' in paid)) throw new Error(paid.failed)
    const authorization =
      form === 'L402'
        ? `L402 ${challenge.token}:${paid.preimage}`
        : `Payment ${Buffer.from(JSON.stringify({ challenge: challenge.echo, payload: { preimage: paid.preimage } })).toString('base64url')}`
    expect(await codeOf(searchFor('something else', { authorization }))).toBe('service/payment-required')
    expect(await searchFor('quiet rooms', { authorization })).toEqual({ found: 'quiet rooms' })
    expect(await codeOf(searchFor('quiet rooms', { authorization }))).toBe('service/payment-required')
    expect(payable.received.list().map(({ apiKeyPresent, path }) => [path, apiKeyPresent])).toContainEqual([
      '/v1/data/api/websearch/search',
      false,
    ])
  })
  it('with a proof that is none', async () => {
    await using payable = await startPayableService()
    const nobody: Service = { fetch: network.fetch, access: () => ({ baseUrl: payable.baseUrl }) }
    for (const authorization of [
      `L402 none:${'0'.repeat(64)}`,
      'Payment e30',
      `Payment ${Buffer.from('not JSON').toString('base64url')}`,
    ]) {
      expect(await codeOf(search(nobody, { q: 'x' }, { perRequest: { authorization } }))).toBe(
        'service/payment-required',
      )
    }
  })
})

it('what a revision does not have is refused before anything is sent', async () => {
  const nobody: Service = {
    fetch: network.fetch,
    access: () => ({ baseUrl: 'http://127.0.0.1:9', revision: 'A' }),
  }
  for (const call of [
    () => listVoices(nobody),
    () => passed(nobody, 'audio/voices', { method: 'GET' }),
    () => passed(nobody, 'audio/models', { method: 'GET' }),
    () => passed(nobody, 'images/edits', { method: 'POST', body: jsonBody({}) }),
    () => passed(nobody, 'audio/speech', { method: 'POST', body: jsonBody({}) }),
  ]) {
    expect(await codeOf(call)).toBe('service/not-offered')
  }
})

async function* none(): AsyncGenerator<Uint8Array> {
  // Nothing came.
}
