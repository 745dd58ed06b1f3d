import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../src/core/core.ts'
import { RequestRate } from '../../../../src/core/gateway/proxy/key-limits.ts'
import { allowsModel } from '../../../../src/shared/model-pattern.ts'
import type { KeyLimits } from '../../../../src/shared/key-limits.ts'
import { giveFirstKey } from '../../../limited-key.ts'
import { chatRequests, PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

const messages = [{ role: 'user', content: 'hello' }]

function limited(limits: KeyLimits): Promise<World> {
  return startWorld({
    vault: async (folder) => {
      const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await giveFirstKey({ vault, folder, profileId: 'sandbox', limits })
      return vault
    },
  })
}

async function refusal(response: Response): Promise<[number, string]> {
  const { error } = (await response.json()) as { error: { code: string } }
  return [response.status, error.code]
}
const listed = async (world: World) => {
  const response = await fetch(`${world.baseUrl}/models`, {
    headers: { authorization: `Bearer ${world.key}` },
  })
  return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
}

describe('a limited local key', () => {
  it('for private models only can’t use or list other models', async () => {
    await using world = await limited({ atLeast: 'sealed' })
    expect(await refusal(await world.post({ model: PLAINTEXT_MODEL, messages }))).toEqual([
      403,
      'auth/private-only',
    ])
    expect(await refusal(await world.post({ model: ` ${PRIVATE_MODEL}`, messages }))).toEqual([
      403,
      'auth/private-only',
    ])
    expect(chatRequests(world.sandbox)).toEqual([])
    const models = await listed(world)
    expect(models).toContain(PRIVATE_MODEL)
    expect(models.filter((id) => !id.startsWith('private/'))).toEqual([])
    expect((await world.post({ model: PRIVATE_MODEL, messages })).status).toBe(200)
  })

  it('for some models is refused for others', async () => {
    await using world = await limited({ models: ['sandbox/allegro-*', 'private/nothing'] })
    expect(await refusal(await world.post({ model: PRIVATE_MODEL, messages }))).toEqual([
      403,
      'auth/model-not-allowed',
    ])
    expect(
      await refusal(
        await fetch(`${world.baseUrl}/models/${PRIVATE_MODEL}`, {
          headers: { authorization: `Bearer ${world.key}` },
        }),
      ),
    ).toEqual([403, 'auth/model-not-allowed'])
    expect(await listed(world)).toContain(PLAINTEXT_MODEL)
    expect(await listed(world)).not.toContain(PRIVATE_MODEL)
    expect(
      await refusal(
        await world.post({
          model: PLAINTEXT_MODEL,
          models: [PLAINTEXT_MODEL, 'sandbox/andante-large'],
          messages,
        }),
      ),
    ).toEqual([403, 'auth/model-not-allowed'])
    expect(chatRequests(world.sandbox)).toEqual([])
    expect((await world.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(200)
  })

  it('is refused after it expires', async () => {
    await using world = await limited({ expiresAt: Date.now() + 3_600_000 })
    expect((await world.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(200)
    world.clock.ahead = 3_600_000
    world.sandbox.clearReceived()
    expect(await refusal(await world.post({ model: PLAINTEXT_MODEL, messages }))).toEqual([
      401,
      'auth/expired-api-key',
    ])
    expect(
      await refusal(
        await fetch(`${world.baseUrl}/models`, { headers: { authorization: `Bearer ${world.key}` } }),
      ),
    ).toEqual([401, 'auth/expired-api-key'])
    // A clock that is set back makes no key valid again.
    world.clock.ahead = 0
    expect(await refusal(await world.post({ model: PLAINTEXT_MODEL, messages }))).toEqual([
      401,
      'auth/expired-api-key',
    ])
    expect(await world.call('localApi/keys', {})).toMatchObject([{ state: 'expired' }])
    expect(chatRequests(world.sandbox)).toEqual([])
  })

  it('has a limit of requests per minute, and its refusal names the time until the next one', async () => {
    await using world = await limited({ requestsPerMinute: 2 })
    for (let sent = 0; sent < 2; sent += 1)
      expect((await world.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(200)
    const third = await world.post({ model: PLAINTEXT_MODEL, messages })
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refusal(third)).toEqual([429, 'limit/requests'])
    world.clock.ahead = 30_000
    expect((await world.post({ model: PLAINTEXT_MODEL, messages })).status).toBe(200)
  })
})

it('a request that a key doesn’t allow is refused with a receipt in every dialect, so that the request list shows it', async () => {
  await using world = await limited({ atLeast: 'sealed' })
  const paths = {
    '/v1/chat/completions': { model: PLAINTEXT_MODEL, messages },
    '/v1/responses': { model: PLAINTEXT_MODEL, input: 'hello' },
    '/v1/messages': { model: PLAINTEXT_MODEL, messages, max_tokens: 5 },
    '/v1/embeddings': { model: 'sandbox/embed', input: 'hello' },
    '/api/chat': { model: PLAINTEXT_MODEL, messages },
    '/api/generate': { model: `${PLAINTEXT_MODEL}:latest`, prompt: 'hello' },
    '/api/embed': { model: 'sandbox/embed', input: 'hello' },
  }
  for (const [path, body] of Object.entries(paths)) {
    const response = await world.post(body, {}, path)
    expect([path, response.status, response.headers.get('x-sotto-privacy')]).toEqual([path, 403, 'refused'])
    expect(await response.text()).toContain('allows only private models')
  }
  const { requests } = (await world.call('localApi/requests', {})) as { requests: unknown[] }
  expect(requests).toHaveLength(7)
  for (const request of requests)
    expect(request).toMatchObject({
      tool: 'First key',
      privacy: 'refused',
      outcome: 'refused',
      code: 'auth/private-only',
    })
  const tokens = await world.post({ model: PLAINTEXT_MODEL, messages }, {}, '/v1/messages/count_tokens')
  expect(tokens.status).toBe(403)
  for (const path of ['/api/show', '/api/chat', '/api/generate'])
    expect([path, (await world.post({ model: PLAINTEXT_MODEL }, {}, path)).status]).toEqual([path, 403])
  const { models } = (await (
    await fetch(`${world.baseUrl.replace('/v1', '')}/api/tags`, {
      headers: { authorization: `Bearer ${world.key}` },
    })
  ).json()) as { models: { name: string }[] }
  expect(models.length).toBeGreaterThan(0)
  for (const { name } of models) expect(name).toMatch(/^private\//)
})

describe('a model pattern', () => {
  it.each([
    ['a/b', 'a/b', true],
    ['a/b', 'a/bc', false],
    ['a/b', 'A/b', false],
    ['*', 'anything', true],
    ['*', '', true],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'acb', false],
    ['a*bc*c', 'abc', false],
    ['a.c', 'abc', false],
    ['a**c', 'ac', true],
  ])('%s for %s: %s', (pattern, id, allowed) => {
    expect(allowsModel({ models: [pattern] }, id)).toBe(allowed)
  })

  it('matches like the equivalent regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (parts, id) => {
        const expected = new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.*')}$`).test(
          id,
        )
        expect(allowsModel({ models: [parts.join('*')] }, id)).toBe(expected)
      }),
      { numRuns: 2_000 },
    )
  })
})

it('no sequence of requests exceeds a burst plus the refill in any minute', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.integer({ min: -5_000, max: 20_000 }), { maxLength: 100 }),
      (requestsPerMinute, waits) => {
        let now = 1_000_000
        const rate = new RequestRate(() => now)
        const passed: number[] = []
        let latest = now
        for (const wait of waits) {
          now += wait
          latest = Math.max(latest, now)
          try {
            rate.take('key', { requestsPerMinute })
            passed.push(latest)
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'limit/requests' })
          }
        }
        rate.take('another', { requestsPerMinute })
        if (waits.every((wait) => wait >= 0)) {
          for (const end of passed)
            expect(passed.filter((at) => at > end - 60_000 && at <= end).length).toBeLessThanOrEqual(
              2 * requestsPerMinute,
            )
        }
      },
    ),
    { numRuns: 300 },
  )
})
