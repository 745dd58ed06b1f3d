import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, type ContractClient } from '../../../../src/cli/client.ts'
import { unlockVault } from '../../../../src/core/core.ts'
import type { ErrorCode } from '../../../../src/shared/error-codes.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { KeyLimitsText } from '../../../../src/shared/key-limits.ts'
import type { SandboxFault } from '../../../../src/shared/sandbox-faults.ts'
import { toolTextOf } from '../../../../src/shared/tool-texts.ts'
import { request } from '../../../sandbox/service-client.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const messages = [{ role: 'user', content: 'hello' }]
/** A request for which the sandbox charges more than a cent. */
const long = { max_tokens: 4_000, messages: [{ role: 'user', content: 'river '.repeat(100_000) }] }

/** Whether plaintext answers end within their first piece, without an error. */
let cut = false
async function* firstOf(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  for await (const piece of body ?? []) {
    yield piece.subarray(0, piece.byteLength / 2)
    return
  }
}
const cutting =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    const { status, headers, body } = response
    return cut && url.endsWith('/v1/chat/completions') ? { status, headers, body: firstOf(body) } : response
  }

let world: World
let client: ContractClient
let account: { creditId: string; apiKey: string }
let accountId: string
beforeAll(async () => {
  world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
    fetch: cutting,
  })
  client = clientOf(world.core)
  account = (await world.sandbox.control()).createAccount(100n * 10n ** 12n)
  await client.accounts.connect(account)
  accountId = (await client.accounts.list()).find(({ active }) => active)?.id ?? ''
  await client.models.list()
  await client.privacy.verify()
})
afterAll(() => world[Symbol.asyncDispose]())

let createdCount = 0
/** The secret of a new local key. */
const keyWith = async (limits: KeyLimitsText): Promise<string> =>
  (await client.localApi.create({ name: `Tool ${String((createdCount += 1))}`, limits })).secret
/** Runs a request with another key of the same account, which is connected while the request runs. */
async function withAccountKey<T>(
  body: object,
  change: (id: string, key: string) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const {
    body: { data },
  } = await request(
    `${world.sandbox.baseUrl}/keys`,
    'POST',
    { name: `another ${String((createdCount += 1))}`, ...body },
    { 'x-credit-id': account.creditId },
  )
  await client.accounts.connect({ apiKey: data.api_key })
  await change(data._id, data.api_key)
  try {
    return await work()
  } finally {
    await client.accounts.activate({ accountId })
  }
}
async function withFault<T>(fault: SandboxFault, work: () => Promise<T>): Promise<T> {
  world.sandbox.setFault(fault, true)
  world.core.invalidateVerdict()
  try {
    return await work()
  } finally {
    world.sandbox.setFault(fault, false)
  }
}
async function withBalance<T>(picoUsd: bigint, work: () => Promise<T>): Promise<T> {
  const control = await world.sandbox.control()
  control.setBalance(account.creditId, picoUsd)
  try {
    return await work()
  } finally {
    control.setBalance(account.creditId, 100n * 10n ** 12n)
  }
}

type Ask = (body: object, secret?: string, path?: string) => Promise<Response>
const ask: Ask = (body, secret = world.key, path = '/v1/chat/completions') =>
  world.post(body, { authorization: `Bearer ${secret}` }, path)

interface Row {
  readonly why: string
  readonly code: ErrorCode
  readonly status: number
  readonly type: string
  /** The instruction that the tool gets. */
  readonly remedy: RegExp
  readonly provoke: () => Promise<Response>
  /** The service sees the request and refuses it. */
  readonly reaches?: true
}

const groups: Record<string, readonly Row[]> = {
  'the budget of a local key': [
    {
      why: 'does not cover it',
      code: 'budget/exceeded',
      status: 402,
      type: 'insufficient_quota',
      remedy: /fewer tokens, or raise the budget/,
      provoke: async () =>
        ask(
          { model: PLAINTEXT_MODEL, messages },
          await keyWith({ budget: { picoUsd: '1', period: 'week' } }),
        ),
    },
    {
      why: 'cannot be held against an unknown price',
      code: 'budget/price-unknown',
      status: 402,
      type: 'insufficient_quota',
      remedy: /allow the key to make requests of unknown price/,
      provoke: async () =>
        ask(
          { model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] },
          await keyWith({ budget: { picoUsd: '1000000000000', period: 'day' } }),
        ),
    },
  ],
  'the limits of a local key': [
    {
      why: 'models',
      code: 'auth/model-not-allowed',
      status: 403,
      type: 'permission_error',
      remedy: /change the permissions of the key in Sotto/,
      provoke: async () =>
        ask({ model: PLAINTEXT_MODEL, messages }, await keyWith({ models: ['private/*'] })),
    },
    {
      why: 'private models alone',
      code: 'auth/private-only',
      status: 403,
      type: 'permission_error',
      remedy: /begins with "private\/"/,
      provoke: async () => ask({ model: PLAINTEXT_MODEL, messages }, await keyWith({ atLeast: 'sealed' })),
    },
    {
      why: 'a rate',
      code: 'limit/requests',
      status: 429,
      type: 'rate_limit_error',
      remedy: /Retry-After/,
      provoke: async () => {
        const secret = await keyWith({ requestsPerMinute: 1 })
        await (await ask({ model: 'nobody/none', messages }, secret)).text()
        return ask({ model: PLAINTEXT_MODEL, messages }, secret)
      },
    },
    {
      why: 'tokens',
      code: 'limit/tokens',
      status: 429,
      type: 'rate_limit_error',
      remedy: /Retry-After/,
      provoke: async () => {
        const secret = await keyWith({ tokensPerMinute: 1 })
        await (await ask({ model: PLAINTEXT_MODEL, messages }, secret)).text()
        world.sandbox.clearReceived()
        return ask({ model: PLAINTEXT_MODEL, messages }, secret)
      },
    },
    {
      why: 'a time',
      code: 'auth/expired-api-key',
      status: 401,
      type: 'authentication_error',
      remedy: /Send another local key/,
      provoke: async () => ask({ model: PLAINTEXT_MODEL, messages }, await keyWith({ expiresAt: 1 })),
    },
    {
      why: 'a right that was not granted',
      code: 'auth/insufficient-scope',
      status: 403,
      type: 'permission_error',
      remedy: /Add the permission to the key in Sotto/,
      provoke: async () =>
        fetch(world.baseUrl.replace('/v1', '/metrics'), {
          headers: { authorization: `Bearer ${await keyWith({})}` },
        }),
    },
  ],
  'the balance at the service': [
    {
      why: 'in the open',
      code: 'service/insufficient-balance',
      status: 402,
      type: 'insufficient_quota',
      remedy: /Add funds/,
      reaches: true,
      provoke: () => withBalance(1n, () => ask({ model: PLAINTEXT_MODEL, messages })),
    },
    {
      why: 'sealed',
      code: 'service/insufficient-balance',
      status: 402,
      type: 'insufficient_quota',
      remedy: /Add funds/,
      reaches: true,
      provoke: () => withBalance(1n, () => ask({ model: PRIVATE_MODEL, messages })),
    },
  ],
  'the cap of the account’s key': [
    {
      why: 'in the open',
      code: 'service/spending-cap',
      status: 402,
      type: 'insufficient_quota',
      remedy: /Raise the cap, wait for its reset/,
      reaches: true,
      provoke: () =>
        withAccountKey(
          { usage_limit_usd: 0.01 },
          () => Promise.resolve(),
          () => ask({ model: PLAINTEXT_MODEL, ...long }),
        ),
    },
    {
      why: 'sealed',
      code: 'service/spending-cap',
      status: 402,
      type: 'insufficient_quota',
      remedy: /Raise the cap, wait for its reset/,
      reaches: true,
      provoke: () =>
        withAccountKey(
          { usage_limit_usd: 0.01 },
          () => Promise.resolve(),
          () => ask({ model: PRIVATE_MODEL, ...long }),
        ),
    },
  ],
  'the key': [
    {
      why: 'none',
      code: 'auth/missing-api-key',
      status: 401,
      type: 'authentication_error',
      remedy: /Send it as "Authorization: Bearer …"/,
      provoke: () => world.post({ model: PLAINTEXT_MODEL, messages }, { authorization: '' }),
    },
    {
      why: 'not of this Sotto',
      code: 'auth/invalid-api-key',
      status: 401,
      type: 'authentication_error',
      remedy: /Send the local key that Sotto shows/,
      provoke: () => ask({ model: PLAINTEXT_MODEL, messages }, account.apiKey),
    },
    {
      why: 'revoked',
      code: 'auth/revoked-api-key',
      status: 401,
      type: 'authentication_error',
      remedy: /Send another local key/,
      provoke: async () => {
        const {
          key: { id: keyId },
          secret,
        } = await client.localApi.create({ name: 'To be revoked', limits: {} })
        await client.localApi.revoke({ keyId })
        return ask({ model: PLAINTEXT_MODEL, messages }, secret)
      },
    },
    {
      why: 'the account’s, that the service does not know any more',
      code: 'service/key-refused',
      status: 401,
      type: 'authentication_error',
      remedy: /Reconnect the account/,
      reaches: true,
      provoke: () =>
        withAccountKey(
          {},
          (id) =>
            request(`${world.sandbox.baseUrl}/keys/${id}`, 'DELETE', undefined, {
              'x-credit-id': account.creditId,
            }),
          () => ask({ model: PLAINTEXT_MODEL, messages }),
        ),
    },
  ],
  'the proof': [
    {
      why: 'code changed',
      code: 'attestation/failed',
      status: 502,
      type: 'api_error',
      remedy: /Check which step failed in Sotto/,
      provoke: () => withFault('other-measurement', () => ask({ model: PRIVATE_MODEL, messages })),
    },
    {
      why: 'an older release',
      code: 'attestation/older-release',
      status: 502,
      type: 'api_error',
      remedy: /accept the older one/,
      provoke: () => withFault('older-release', () => ask({ model: PRIVATE_MODEL, messages })),
    },
  ],
  'the model': [
    {
      why: 'not listed',
      code: 'model/unknown',
      status: 404,
      type: 'not_found_error',
      remedy: /GET \/v1\/models/,
      provoke: () => ask({ model: 'nobody/none', messages }),
    },
    {
      why: 'private, where it would be read',
      code: 'privacy/plugins',
      status: 400,
      type: 'invalid_request_error',
      remedy: /Remove "plugins"/,
      provoke: () => ask({ model: PRIVATE_MODEL, messages, plugins: [{ id: 'web' }] }),
    },
  ],
  'the input': [
    {
      why: 'no JSON',
      code: 'proxy/malformed-json',
      status: 400,
      type: 'invalid_request_error',
      remedy: /one JSON object/,
      provoke: () => world.post('{'),
    },
    {
      why: 'a member twice',
      code: 'proxy/duplicate-member',
      status: 400,
      type: 'invalid_request_error',
      remedy: /each member once/,
      provoke: () => world.post('{"model":"a","model":"b"}'),
    },
    {
      why: 'what the service does not take',
      code: 'service/rejected',
      status: 400,
      type: 'invalid_request_error',
      remedy: /as the service describes/,
      reaches: true,
      provoke: () => ask({ model: PLAINTEXT_MODEL, messages: [{ role: 'nobody', content: 'hello' }] }),
    },
  ],
}

describe.each(Object.entries(groups))('a refusal for %s', (_, rows) => {
  it.each(rows.map((row) => [row.why, row] as const))(
    '%s',
    async (_why, { code, status, type, remedy, provoke, reaches }) => {
      world.sandbox.clearReceived()
      const response = await provoke()
      const { error } = (await response.json()) as { error: { code: string; message: string; type: string } }
      expect({ status: response.status, code: error.code, type: error.type }).toEqual({ status, code, type })
      expect(error.message.startsWith(toolTextOf(code).says)).toBe(true)
      expect(error.message).toMatch(remedy)
      expect(error.message.endsWith(toolTextOf(code).remedy)).toBe(true)
      expect(chatRequests(world.sandbox).length > 0).toBe(reaches === true)
    },
  )
})

it('the eight groups share no code', () => {
  const codes = Object.values(groups).map((rows) => new Set(rows.map(({ code }) => code)))
  expect(codes).toHaveLength(8)
  expect(codes.reduce((sum, each) => sum + each.size, 0)).toBe(
    new Set(codes.flatMap((each) => [...each])).size,
  )
})

describe('a reply that has begun and fails reports the reason in its stream', () => {
  const streamed = { model: PRIVATE_MODEL, stream: true, messages }
  async function lastEvent(
    response: Response,
  ): Promise<{ error: { code: string; type: string; message: string; receipt: string } }> {
    expect(response.status).toBe(200)
    const events = (await response.text()).trim().split('\n\n')
    expect(events.filter((event) => event === 'data: [DONE]')).toEqual([])
    return JSON.parse(events.at(-1)?.replace(/^data: /, '') ?? '') as Awaited<ReturnType<typeof lastEvent>>
  }
  it.each<[SandboxFault, ErrorCode]>([
    ['cut-inside-frame', 'channel/response-truncated'],
    ['cut-on-frame-boundary', 'channel/response-truncated'],
  ])('sealed: %s', async (fault, code) => {
    const { error } = await withFault(fault, async () => lastEvent(await ask(streamed)))
    expect(error).toMatchObject({
      code,
      type: 'api_error',
      message: `${toolTextOf(code).says} ${toolTextOf(code).remedy}`,
    })
    expect(await client.receipts.get({ receiptId: error.receipt })).toMatchObject({
      outcome: 'interrupted',
      code,
    })
  })
  it('not sealed: an end without [DONE]', async () => {
    cut = true
    const { error } = await lastEvent(await ask({ ...streamed, model: PLAINTEXT_MODEL }))
    cut = false
    expect(error).toMatchObject({
      code: 'service/interrupted',
      type: 'api_error',
      message: `${toolTextOf('service/interrupted').says} ${toolTextOf('service/interrupted').remedy}`,
    })
  })
})
