import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import type { KeyLimits } from '../../../../src/shared/key-limits.ts'
import { UnsentError, type Fetch } from '../../../../src/shared/fetch.ts'
import type { Receipt } from '../../../../src/shared/receipt.ts'
import type { SandboxFault } from '../../../../src/shared/sandbox-faults.ts'
import { giveFirstKey } from '../../../limited-key.ts'
import {
  chatRequests,
  PLAINTEXT_MODEL,
  PLAINTEXT_VISION_MODEL,
  PRIVATE_MODEL,
  startWorld,
  type World,
} from '../../../world.ts'

const DOLLAR = 10n ** 12n
const messages = [{ role: 'user', content: 'hello' }]
const ask = { model: PLAINTEXT_MODEL, messages, max_tokens: 100 }

function limited(limits: KeyLimits, fetch?: (fetch: Fetch) => Fetch): Promise<World> {
  return startWorld({
    vault: async (folder) => {
      const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await giveFirstKey({ vault, folder, profileId: 'sandbox', limits })
      return vault
    },
    ...(fetch && { fetch }),
  })
}

/** The newest, once it is there. */
async function receipts(world: World, count: number): Promise<Receipt[]> {
  await expect.poll(async () => ((await world.call('receipts/list', {})) as Receipt[]).length).toBe(count)
  return world.call('receipts/list', {}) as Promise<Receipt[]>
}

async function refused(response: Response, code: string): Promise<{ message: string; type: string }> {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; type: string; param: null; receipt: string }
  }
  expect([response.status, error.code, error.type, error.param]).toEqual([
    402,
    code,
    'insufficient_quota',
    null,
  ])
  expect(response.headers.get('x-sotto-receipt')).toBe(error.receipt)
  expect(response.headers.get('x-sotto-privacy')).toBe('refused')
  return error
}

const text = async (response: Promise<Response>) => (await response).text()

describe('a local key with a budget', () => {
  it.each([[PLAINTEXT_MODEL], [PRIVATE_MODEL]])(
    'is charged the cost of a request, and its receipt has the cost and the estimate: %s',
    async (model) => {
      await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' } })
      for (const stream of [false, true])
        expect((await world.post({ ...ask, model, stream })).status).toBe(200)
      for (const { estimate, cost, charged, outcome } of await receipts(world, 2)) {
        expect(outcome).toBe('complete')
        expect(cost).toMatch(/^[1-9]\d*$/)
        expect(charged).toBe(cost)
        expect(BigInt(estimate?.most ?? 0) >= BigInt(cost ?? 0)).toBe(true)
      }
    },
  )

  it('is refused a request that the budget doesn’t cover, and nothing is sent', async () => {
    await using world = await limited({ budget: { picoUsd: 100_000_000n, period: 'month' } })
    const first = await world.post(ask)
    expect(first.status).toBe(200)
    await first.text()
    world.sandbox.clearReceived()
    for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL]) {
      const { message } = await refused(
        await world.post({ ...ask, model, max_tokens: 10_000 }),
        'budget/exceeded',
      )
      expect(message).toMatch(/ of 0\.01¢ remains until \d{4}-\d\d-01\. /)
    }
    expect(chatRequests(world.sandbox)).toEqual([])
    expect(await receipts(world, 3)).toMatchObject([
      { outcome: 'refused', privacy: 'refused', code: 'budget/exceeded' },
      { outcome: 'refused', privacy: 'refused', code: 'budget/exceeded' },
      { outcome: 'complete' },
    ])
  })

  it('gets no second daily budget when the clock is set back', async () => {
    await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' } })
    const spend = async () => {
      expect((await world.post(ask)).status).toBe(200)
      await receipts(world, world.clock.ahead === 0 ? 1 : 2)
      const [key] = (await world.call('localApi/keys', {})) as { spent: string; renewsAt: number }[]
      return key
    }
    const today = await spend()
    world.clock.ahead = 48 * 3_600_000
    const later = await spend()
    expect(later?.spent).toBe(today?.spent)
    expect(later?.renewsAt).toBeGreaterThan(Number(today?.renewsAt))
    world.clock.ahead = 0
    expect(await world.call('localApi/keys', {})).toMatchObject([later])
  })

  it('can’t exceed the budget with parallel requests', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await using world = await limited(
      { budget: { picoUsd: 250_000_000n, period: 'day' } },
      (fetch) => async (url, init) => {
        if (init.method === 'POST' && url.endsWith('/chat/completions')) await released
        return fetch(url, init)
      },
    )
    let answered = 0
    const all = Array.from({ length: 10 }, async () => {
      const response = await world.post(ask)
      answered += 1
      await response.text()
      return response.status
    })
    // A request can cost some 65 million: three fit.
    await expect.poll(() => answered).toBe(7)
    expect(chatRequests(world.sandbox)).toEqual([])
    release()
    expect((await Promise.all(all)).sort()).toEqual([200, 200, 200, 402, 402, 402, 402, 402, 402, 402])
    expect((await world.post(ask)).status).toBe(200)
  })

  it('is charged the maximum for an incomplete answer, canceled or failed', async () => {
    await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' } })
    const stopped = new AbortController()
    const response = await fetch(`${world.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: PLAINTEXT_MODEL,
        stream: true,
        max_tokens: 5_000,
        messages: [{ role: 'user', content: 'Write 3000 words about rivers' }],
      }),
      signal: stopped.signal,
    })
    await response.body?.getReader().read()
    stopped.abort()
    const [cancelled] = await receipts(world, 1)
    expect(cancelled).toMatchObject({ outcome: 'cancelled', charged: cancelled?.estimate?.most })
    expect(cancelled?.cost).toBeUndefined()

    for (const fault of ['status-500-html', 'cut-on-frame-boundary'] as SandboxFault[]) {
      world.sandbox.setFault(fault, true)
      await text(world.post({ ...ask, model: PRIVATE_MODEL, stream: true }))
      world.sandbox.setFault(fault, false)
    }
    for (const failed of (await receipts(world, 3)).slice(0, 2))
      expect(failed).toMatchObject({
        outcome: expect.stringMatching(/failed|interrupted/) as string,
        charged: failed.estimate?.most,
      })
  })

  it.each<[SandboxFault]>([
    ['status-401'],
    ['status-402'],
    ['status-429'],
    ['key-rotation'],
    ['other-measurement'],
  ])('is charged nothing if the request was refused: %s', async (fault) => {
    await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' } })
    await text(world.post({ ...ask, model: PRIVATE_MODEL }))
    world.sandbox.setFault(fault, true)
    if (fault === 'other-measurement') world.core.invalidateVerdict()
    expect((await world.post({ ...ask, model: PRIVATE_MODEL })).status).not.toBe(200)
    expect((await receipts(world, 2))[0]).toMatchObject({
      charged: '0',
      estimate: { most: expect.stringMatching(/^[1-9]/) as string },
    })
  })

  it('is charged nothing if the enclave couldn’t read the request and no valid evidence allowed a retry', async () => {
    await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' } })
    await text(world.post({ ...ask, model: PRIVATE_MODEL }))
    for (const fault of ['key-rotation', 'other-measurement'] as const) world.sandbox.setFault(fault, true)
    const response = await world.post({ ...ask, model: PRIVATE_MODEL })
    expect(await response.json()).toMatchObject({ error: { code: 'attestation/failed' } })
    expect((await receipts(world, 2))[0]).toMatchObject({
      privacy: 'sealed',
      code: 'attestation/failed',
      charged: '0',
    })
  })

  it.each([[PLAINTEXT_MODEL], [PRIVATE_MODEL]])(
    'is charged nothing if the connection failed: %s',
    async (model) => {
      await using world = await limited(
        { budget: { picoUsd: DOLLAR, period: 'day' } },
        (fetch) => (url, init) => {
          return url.endsWith('/chat/completions')
            ? Promise.reject(new UnsentError('connect ECONNREFUSED'))
            : fetch(url, init)
        },
      )
      expect((await world.post({ ...ask, model })).status).toBe(502)
      expect((await receipts(world, 1))[0]).toMatchObject({ code: 'service/unreachable', charged: '0' })
    },
  )

  it('is refused a request without a known maximum price, unless the key allows it', async () => {
    const picture = {
      model: PLAINTEXT_VISION_MODEL,
      max_tokens: 10,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
      ],
    }
    {
      await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' } })
      await refused(await world.post(picture), 'budget/price-unknown')
      expect(chatRequests(world.sandbox)).toEqual([])
    }
    await using world = await limited({ budget: { picoUsd: DOLLAR, period: 'day' }, allowUnpriced: true })
    expect((await world.post(picture)).status).toBe(200)
    const [paid] = await receipts(world, 1)
    expect(paid?.estimate).toBeUndefined()
    expect(paid?.charged).toMatch(/^[1-9]\d*$/)
    expect(paid?.charged).toBe(paid?.cost)
  })
})

it('a key without a budget needs no price, but its costs are counted', async () => {
  await using world = await startWorld()
  expect((await world.post(ask)).status).toBe(200)
  const [paid] = await receipts(world, 1)
  expect(paid?.charged).toBe(paid?.cost)
  const picture = {
    model: PLAINTEXT_VISION_MODEL,
    max_tokens: 10,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ],
  }
  expect((await world.post(picture)).status).toBe(200)
})
