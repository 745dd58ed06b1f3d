import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, failureOf, type ContractClient } from '../../../../src/cli/client.ts'
import { unlockVault } from '../../../../src/core/core.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import type { KeyLimitsText } from '../../../../src/shared/key-limits.ts'
import type { LocalKeyView } from '../../../../src/shared/local-key.ts'
import {
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  startWorld,
  type World,
} from '../../../world.ts'

const DOLLAR = '1000000000000'
const DAY_MS = 86_400_000
const messages = [{ role: 'user', content: 'hello' }]
const dialects = {
  chat: ['/v1/chat/completions', { model: PLAINTEXT_MODEL, messages }],
  responses: ['/v1/responses', { model: PLAINTEXT_MODEL, input: 'hello', store: false }],
  messages: ['/v1/messages', { model: PLAINTEXT_MODEL, messages, max_tokens: 50 }],
} as const

let world: World
let client: ContractClient
/** While it's set, chats wait for it before they reach the service. */
let gate: Promise<void> | undefined
const asked: string[] = []
let answer = true
const gated =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    if (init.method === 'POST' && url.endsWith('/chat/completions')) await gate
    return fetch(url, init)
  }
beforeAll(async () => {
  world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
    fetch: gated,
    confirm: (question) => {
      asked.push(question)
      return answer
    },
  })
  client = clientOf(world.core)
})
afterAll(() => world[Symbol.asyncDispose]())

let createdCount = 0
const create = (limits: KeyLimitsText) =>
  client.localApi.create({ name: `Tool ${String((createdCount += 1))}`, limits })
const send = (secret: string, path: string, body: object) =>
  world.post(body, { authorization: `Bearer ${secret}` }, path)
const chat = (secret: string, body: object = {}) =>
  send(secret, '/v1/chat/completions', { model: PLAINTEXT_MODEL, messages, ...body })
async function ended(keyId: string, requests: number): Promise<LocalKeyView> {
  const view = async () => (await client.localApi.keys()).find(({ id }) => id === keyId)!
  await expect.poll(async () => (await view()).requests).toBe(requests)
  return view()
}
/** The error code, in any dialect's format for errors. */
async function refusal(
  response: Response,
): Promise<readonly [status: number, code: string | undefined, type: string]> {
  const { error } = (await response.json()) as {
    error: { type: string; code?: string; details?: { error_code: string } }
  }
  return [response.status, error.code ?? error.details?.error_code, error.type]
}

describe.each([
  ['chat', 'rate_limit_error', 'insufficient_quota'],
  ['responses', 'rate_limit_error', 'insufficient_quota'],
  ['messages', 'rate_limit_error', 'billing_error'],
] as const)('in the dialect %s', (dialect, limited, unpaid) => {
  const [path, body] = dialects[dialect]

  it('a token limit refuses a request while the last minute used it up, with the time to retry', async () => {
    const {
      key: { id },
      secret,
    } = await create({ tokensPerMinute: 1 })
    expect((await send(secret, path, body)).status).toBe(200)
    await ended(id, 1)
    const second = await send(secret, path, body)
    const wait = Number(second.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(61)
    expect(await refusal(second)).toEqual([429, 'limit/tokens', limited])
    // Requests that can't cost anything aren't counted.
    expect(
      (await fetch(`${world.baseUrl}/models`, { headers: { authorization: `Bearer ${secret}` } })).status,
    ).toBe(200)
    world.clock.ahead += wait * 1000
    expect((await send(secret, path, body)).status).toBe(200)
  })

  it('a limit of parallel requests refuses one more until one has ended', async () => {
    const { secret } = await create({ parallelRequests: 1 })
    let release = (): void => undefined
    gate = new Promise<void>((resolve) => (release = resolve))
    // One of the two is refused while the other waits.
    let refused: Response | undefined
    const both = [send(secret, path, body), send(secret, path, body)].map(async (response) => {
      if ((await response).status !== 200) refused = await response
      return (await response).status
    })
    await expect.poll(() => refused?.headers.get('retry-after')).toBe('1')
    expect(
      (await fetch(`${world.baseUrl}/models`, { headers: { authorization: `Bearer ${secret}` } })).status,
    ).toBe(200)
    release()
    gate = undefined
    expect((await Promise.all(both)).sort()).toEqual([200, 429])
    expect(await refusal(refused!)).toEqual([429, 'limit/concurrency', limited])
    expect((await send(secret, path, body)).status).toBe(200)
  })

  it('a spent soft budget refuses a request, and tools don’t retry', async () => {
    const {
      key: { id },
      secret,
    } = await create({ budget: { picoUsd: '1', period: 'day', soft: true } })
    expect((await send(secret, path, body)).status).toBe(200)
    await ended(id, 1)
    const second = await send(secret, path, body)
    expect(second.headers.get('x-should-retry')).toBe('false')
    expect(await refusal(second)).toEqual([402, 'budget/exceeded', unpaid])
  })
})

describe('a key with a soft budget', () => {
  const picture = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
  ]

  it.each([PLAINTEXT_MODEL, PRIVATE_MODEL])(
    'needs no token limit and no known price, and is charged the cost afterward: %s',
    async (model) => {
      // Far less than either request can cost.
      const {
        key: { id },
        secret,
      } = await create({ budget: { picoUsd: '100', period: 'month', soft: true } })
      const requests = [
        chat(secret, { model }),
        chat(secret, { model: PLAINTEXT_VISION_MODEL, messages: picture }),
      ]
      expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200])
      const { spent, held } = await ended(id, 2)
      // Both had passed before either was charged.
      expect(BigInt(spent)).toBeGreaterThan(100n)
      expect(held).toBe('0')
    },
  )
})

describe('the alert of a budget', () => {
  it('is shown as a notice once it’s reached in a period, until it’s acknowledged', async () => {
    const notices = async () =>
      (await client.app.status()).notices.filter(({ id }) => id.startsWith('key-budget-'))
    const {
      key: { id },
      secret,
    } = await create({ budget: { picoUsd: '2', period: 'day', soft: true, alertPercent: 50 } })
    expect(await notices()).toEqual([])
    await (await chat(secret)).text()
    await ended(id, 1)
    const [notice] = await notices()
    expect(notice).toMatchObject({
      id: expect.stringContaining(id) as string,
      lasting: false,
      says: [{ values: { percent: 50 } }],
    })
    await client.app.acknowledge({ noticeId: notice?.id ?? '' })
    expect(await notices()).toEqual([])
    await client.localApi.revoke({ keyId: id })
  })
})

describe('a temporary increase', () => {
  const refused = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (thrown: unknown) => failureOf(thrown)?.code,
    )

  it('adds to the budget until the end of its period, after a confirmation', async () => {
    const { key, secret } = await create({ budget: { picoUsd: '1', period: 'day' } })
    expect((await chat(secret, { max_tokens: 50 })).status).toBe(402)
    answer = false
    expect(await refused(client.localApi.increase({ keyId: key.id, picoUsd: DOLLAR }))).toBe(
      'confirm/refused',
    )
    answer = true
    asked.length = 0
    const raised = await client.localApi.increase({ keyId: key.id, picoUsd: DOLLAR })
    expect(asked).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Increase the budget of the local key “${key.name}” by \\$1\\.00 until \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\?$`,
        ),
      ),
    ])
    expect(raised).toMatchObject({
      increase: { picoUsd: DOLLAR, until: raised.renewsAt },
      limits: { budget: { picoUsd: '1' } },
    })
    expect((await chat(secret, { max_tokens: 50 })).status).toBe(200)

    // A later name keeps it, and another amount ends it.
    expect(
      await client.localApi.update({
        keyId: key.id,
        name: `${key.name} renamed`,
        limits: { budget: { picoUsd: '1', period: 'day', alertPercent: 5 } },
      }),
    ).toHaveProperty('increase')
    expect(
      await client.localApi.update({ keyId: key.id, limits: { budget: { picoUsd: '0', period: 'day' } } }),
    ).not.toHaveProperty('increase')
  })

  it('ends at its time, or when it’s set to zero', async () => {
    const {
      key: { id: keyId, name },
    } = await create({ budget: { picoUsd: '1', period: 'day' } })
    const now = Date.now() + world.clock.ahead
    asked.length = 0
    expect(await client.localApi.increase({ keyId, picoUsd: DOLLAR, until: now + 3 * DAY_MS })).toMatchObject(
      { increase: { until: now + 3 * DAY_MS } },
    )
    expect(asked).toEqual([expect.stringContaining(`“${name}” by $1.00 in each period until `)])
    expect(await client.localApi.increase({ keyId, picoUsd: '0' })).not.toHaveProperty('increase')
    expect(asked).toHaveLength(1)
    await client.localApi.increase({ keyId, picoUsd: DOLLAR, until: now + 3_600_000 })
    world.clock.ahead += 3_600_000
    const view = async () => (await client.localApi.keys()).find(({ id }) => id === keyId)
    expect(await view()).not.toHaveProperty('increase')
    world.clock.ahead -= 3_600_000
    expect(await view()).not.toHaveProperty('increase')
    world.clock.ahead += 3_600_000
  })

  it('is refused without a budget, with an end in the past, and beyond 30 days', async () => {
    const {
      key: { id: keyId },
    } = await create({ budget: { picoUsd: '1', period: 'total' } })
    const {
      key: { id: free },
    } = await create({})
    const now = Date.now() + world.clock.ahead
    expect(await refused(client.localApi.increase({ keyId: free, picoUsd: DOLLAR }))).toBe(
      'local-key/no-budget',
    )
    for (const until of [now - 1000, now + 30 * DAY_MS + 60_000])
      expect(await refused(client.localApi.increase({ keyId, picoUsd: DOLLAR, until }))).toBe(
        'local-key/increase-end',
      )
    const raised = await client.localApi.increase({ keyId, picoUsd: DOLLAR })
    expect(raised.increase?.until).toBeGreaterThan(now + 29 * DAY_MS)
    await client.localApi.revoke({ keyId })
    expect(await refused(client.localApi.increase({ keyId, picoUsd: DOLLAR }))).toBe('local-key/revoked')
    expect(await refused(client.localApi.increase({ keyId: 'unknown', picoUsd: DOLLAR }))).toBe(
      'local-key/unknown',
    )
  })
})
