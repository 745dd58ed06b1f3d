import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ApiContext } from '../../../src/core/rpc/context.ts'
import { createApi } from '../../../src/core/rpc/create-api.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { serviceEnclaveFaultNames } from '../../../src/shared/sandbox-faults.ts'
import { sandboxWalletFaultNames } from '../../../src/shared/sandbox-wallet-faults.ts'
import type { RouteFault, SandboxRoute } from '../../../src/shared/sandbox-routes.ts'
import { sandboxFolder } from '../../sandbox/cached-roots.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

const failed = (code: string): unknown =>
  expect.objectContaining({ code: 'SOTTO', data: expect.objectContaining({ code }) as unknown })
const CHAT = 'POST /v1/chat/completions'
const SEALED = 'POST /private/v1/chat/completions'
const CONVERSION = 'POST /private/v1/convert/file'
const EVIDENCE = 'GET /private/attestation'
const FRESH = 'GET /.well-known/tinfoil-attestation'

let world: World
beforeAll(async () => {
  world = await startWorld({ idleMs: 2000 })
})
afterAll(() => world[Symbol.asyncDispose]())

const listed = async () => (await world.call('sandbox/routes')) as SandboxRoute[]
const readFaults = async () =>
  Object.fromEntries((await listed()).flatMap(({ name, fault }) => (fault ? [[name, fault]] : [])))
const tell = (fault: RouteFault | null, ...routes: string[]) =>
  world.call('sandbox/setRouteFault', { routes, fault })
const ask = async (model: string) => {
  const response = await world.post({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens: 8 })
  return { status: response.status, body: (await response.json()) as { error?: { code: string } } }
}
afterEach(async () => {
  const on = Object.keys(await readFaults())
  if (on.length > 0) await tell(null, ...on)
})

describe('the faults of the sandbox’s wallet', () => {
  it('can each be set, read and cleared, and unknown ones are refused', async () => {
    expect(await world.call('sandbox/walletFault')).toBeNull()
    for (const fault of [...sandboxWalletFaultNames, null]) {
      expect(await world.call('sandbox/setWalletFault', { fault })).toBe(fault)
      expect(await world.call('sandbox/walletFault')).toBe(fault)
    }
    expect(await world.call('sandbox/setWalletFault', { fault: 'constructor' })).toMatchObject({
      code: expect.stringMatching(/BAD_REQUEST|SOTTO/) as string,
    })
  })

  it('apply to payments', async () => {
    await world.call('wallet/connectSandbox')
    await world.call('sandbox/setWalletFault', { fault: 'insufficient-balance' })
    const { id } = (await world.call('topups/create', {
      method: 'btc-lightning',
      amount: '500',
      currency: 'SATS',
    })) as { id: string }
    expect(await world.call('topups/payFromWallet', { topupId: id })).toMatchObject({ payment: 'failed' })
    await world.call('sandbox/setWalletFault', { fault: null })
    const again = (await world.call('topups/create', {
      method: 'btc-lightning',
      amount: '500',
      currency: 'SATS',
    })) as { id: string }
    expect(
      ((await world.call('topups/payFromWallet', { topupId: again.id })) as { payment: string }).payment,
    ).toMatch(/^(paid|delivered)$/)
  })
})

describe('simulated money', () => {
  it('pays a top-up without a confirmation, but asks before a purchase', async () => {
    const questions: string[] = []
    await using other = await startWorld({
      confirm: (question) => {
        questions.push(question)
        return false
      },
    })
    await other.call('wallet/connectSandbox')
    const quoted = (await other.call('purchases/quote', {
      ask: { endpoint: 'data', method: 'POST', path: '/api/websearch/search', input: { query: 'otters' } },
    })) as { id: string }
    expect(await other.call('purchases/pay', { purchaseId: quoted.id })).toEqual(failed('payment/refused'))
    expect(questions).toHaveLength(1)
    const { id } = (await other.call('topups/create', {
      method: 'btc-lightning',
      amount: '500',
      currency: 'SATS',
    })) as { id: string }
    const { payment } = (await other.call('topups/payFromWallet', { topupId: id })) as { payment: string }
    expect(payment).toMatch(/^(paid|delivered)$/)
    expect(questions).toHaveLength(1)
  })
})

describe('the service’s own enclave', () => {
  it('has its own routes and faults if the sandbox has this enclave', async () => {
    const sandbox = await startSandbox({
      folder: await sandboxFolder(),
      pace: 'none',
      ledger: 'memory',
      serviceEnclave: true,
    })
    try {
      await using other = await startWorld({
        outlives: { sandbox, folder: await sandboxFolder(), clock: { ahead: 0 } },
      })
      const routes = (await other.call('sandbox/routes')) as SandboxRoute[]
      const known = new Set((await listed()).map(({ name }) => name))
      expect(
        routes.filter(({ name }) => !known.has(name)).map(({ name, group, fails }) => [name, group, fails]),
      ).toEqual([
        ['GET /service-enclave/attestation', 'Service enclave', false],
        ['GET /service-enclave/published-pcr.json', 'Service enclave', false],
        ['POST /service-enclave/v1/chat/completions', 'Service enclave', false],
      ])
      for (const fault of serviceEnclaveFaultNames) {
        expect(await other.call('sandbox/setFault', { fault, on: true })).toEqual([fault])
        expect(await other.call('sandbox/setFault', { fault, on: false })).toEqual([])
      }
    } finally {
      await sandbox.close()
    }
  })
})

describe('the faults of the sandbox’s routes', () => {
  it('list every route once, with its group and description, and no fault at first', async () => {
    const routes = await listed()
    expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
    expect(new Set(routes.map(({ group }) => group))).toEqual(
      new Set([
        'Chat',
        'Models',
        'Accounts',
        'API keys',
        'Top-up',
        'Automatic top-up',
        'History',
        'Embeddings',
        'Images',
        'Videos',
        'Audio',
        'Data',
        'Media',
        'Private chat',
      ]),
    )
    expect(routes.filter(({ description, fault }) => description === '' || fault !== null)).toEqual([])
    expect(routes.filter(({ fails }) => !fails).map(({ name }) => name)).toEqual([
      EVIDENCE,
      FRESH,
      SEALED,
      CONVERSION,
    ])
    // This route exists only in the other revision.
    expect(routes.map(({ name }) => name)).not.toContain('GET /v1/media/models')
  })

  it.each([
    [{ status: 401 }, 'service/key-refused'],
    [{ status: 402 }, 'service/insufficient-balance'],
    [{ status: 429, retryAfter: 7 }, 'service/rate-limited'],
    [{ status: 500 }, 'service/failed'],
  ] satisfies [RouteFault, string][])(
    '%j reaches a caller of the proxy, costs nothing, and ends when it’s cleared',
    async (fault, code) => {
      const before = world.sandbox.ledger().length
      expect(await tell(fault, CHAT)).toContainEqual(expect.objectContaining({ name: CHAT, fault }))
      expect((await ask(PLAINTEXT_MODEL)).body.error?.code).toBe(code)
      // Sealed routes have separate faults.
      expect((await ask(PRIVATE_MODEL)).status).toBe(200)
      expect(world.sandbox.ledger()).toHaveLength(before + 1)
      await tell(null, CHAT)
      expect(await readFaults()).toEqual({})
      expect((await ask(PLAINTEXT_MODEL)).status).toBe(200)
    },
  )

  it('a reply that is cut off is charged', async () => {
    const before = world.sandbox.ledger().length
    await tell({ cut: true }, CHAT)
    expect((await ask(PLAINTEXT_MODEL)).status).not.toBe(200)
    expect(world.sandbox.ledger()).toHaveLength(before + 1)
  })

  it('a reply that stalls is charged, and times out', async () => {
    const before = world.sandbox.ledger().length
    await tell({ stalled: true }, CHAT)
    expect((await ask(PLAINTEXT_MODEL)).body.error?.code).toBe('service/timeout')
    expect(world.sandbox.ledger()).toHaveLength(before + 1)
  })

  it('latency also delays the sealed routes, until the caller aborts', async () => {
    await tell({ latencyMs: 600_000 }, EVIDENCE, SEALED, CONVERSION)
    world.sandbox.clearReceived()
    for (const [method, path] of [
      ['GET', '/private/attestation'],
      ['POST', '/private/v1/chat/completions'],
      ['POST', '/private/v1/convert/file'],
    ] as const) {
      const caller = new AbortController()
      const waiting = fetch(world.sandbox.baseUrl + path, { method, signal: caller.signal })
      await expect.poll(() => world.sandbox.received().some((request) => request.path === path)).toBe(true)
      // A later request without latency is answered first.
      expect((await fetch(`${world.sandbox.baseUrl}/v1/models`)).status).toBe(200)
      caller.abort()
      await expect(waiting).rejects.toThrow()
    }
    await tell(null, EVIDENCE, SEALED, CONVERSION)
    expect((await fetch(`${world.sandbox.baseUrl}/private/attestation`)).status).toBe(200)
  })

  it('are set on all named routes or on none', async () => {
    expect(await tell({ status: 503 }, CHAT, 'GET /nowhere')).toEqual(failed('sandbox/route-fault'))
    for (const fault of [{ status: 401 }, { cut: true }, { stalled: true }])
      for (const sealed of [SEALED, CONVERSION])
        expect(await tell(fault, CHAT, sealed)).toEqual(failed('sandbox/route-fault'))
    expect(await readFaults()).toEqual({})
    await tell({ status: 503, latencyMs: 1 }, CHAT, 'GET /v1/models')
    expect(await readFaults()).toEqual({
      [CHAT]: { status: 503, latencyMs: 1 },
      'GET /v1/models': { status: 503, latencyMs: 1 },
    })
  })

  it.each([
    [{ status: 200 }],
    [{ status: 600 }],
    [{ latencyMs: -1 }],
    [{ latencyMs: 600_001 }],
    [{ latencyMs: 0.5 }],
    [{ retryAfter: -1 }],
    [{ shout: true }],
  ])('%j is refused', async (fault) => {
    expect(await world.call('sandbox/setRouteFault', { routes: [CHAT], fault })).toMatchObject({
      code: 'BAD_REQUEST',
    })
    expect(await world.call('sandbox/setRouteFault', { routes: [], fault: null })).toMatchObject({
      code: 'BAD_REQUEST',
    })
    expect(await readFaults()).toEqual({})
  })

  it('don’t exist without the sandbox, and can’t be set', async () => {
    const { api } = createApi({ sandbox: null, ended: new AbortController().signal } as unknown as ApiContext)
    const call = async (path: string, input?: unknown) => {
      const response = await api(
        new Request(`http://sotto.invalid/api/sandbox/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ json: input }),
        }),
        windowCaller,
      )
      return ((await response.json()) as { json: unknown }).json
    }
    expect(await call('routes')).toEqual([])
    expect(await call('setRouteFault', { routes: [CHAT], fault: null })).toEqual(failed('sandbox/off'))
  })
})
