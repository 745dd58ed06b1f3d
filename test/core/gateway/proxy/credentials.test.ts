import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashOfLocalKey } from '../../../../src/core/gateway/proxy/index.ts'
import { requireLocalKey, type LocalKeyRecord } from '../../../../src/core/gateway/proxy/guards.ts'
import { startWorld, type World } from '../../../world.ts'

const NOW = 1000
const records: Record<string, LocalKeyRecord> = {
  one: { id: 'one', limits: {} },
  two: { id: 'two', limits: { expiresAt: NOW + 1 } },
  ended: { id: 'ended', limits: { expiresAt: NOW } },
  revoked: { id: 'revoked', limits: {}, revokedAt: 1 },
}
const byHash = new Map(Object.values(records).map((record) => [hashOfLocalKey(record.id), record]))
const idOf = (headers: Record<string, string>): string =>
  requireLocalKey(headers, (hash) => byHash.get(hash) ?? null, NOW).id

describe('of several credentials', () => {
  it.each([
    [{ authorization: 'Bearer one' }, 'one'],
    [{ authorization: 'bearer  two' }, 'two'],
    [{ 'x-api-key': 'one' }, 'one'],
    [{ 'api-key': 'one' }, 'one'],
    [{ authorization: 'Bearer sk-of-the-service', 'x-api-key': 'one' }, 'one'],
    [{ authorization: 'Bearer one', 'x-api-key': 'sk-of-the-service' }, 'one'],
    [{ authorization: 'Bearer sk-a', 'x-api-key': 'sk-b', 'api-key': 'two' }, 'two'],
    [{ authorization: 'Basic b25l', 'api-key': 'one' }, 'one'],
    [{ authorization: 'Bearer one', 'x-api-key': 'one', 'api-key': 'one' }, 'one'],
    [{ authorization: 'Bearer revoked', 'x-api-key': 'one' }, 'one'],
    [{ authorization: 'Bearer ended', 'x-api-key': 'revoked', 'api-key': 'two' }, 'two'],
  ])('the valid one counts: %j', (headers, id) => {
    expect(idOf(headers)).toBe(id)
  })
  it.each([
    [{}, 'auth/missing-api-key'],
    [{ authorization: 'Basic b25l' }, 'auth/missing-api-key'],
    [{ authorization: '', 'x-api-key': '', 'api-key': '' }, 'auth/missing-api-key'],
    [{ authorization: 'Bearer a', 'x-api-key': 'b', 'api-key': 'c' }, 'auth/invalid-api-key'],
    [{ 'x-api-key': 'one, two' }, 'auth/invalid-api-key'],
    [{ authorization: 'Bearer a', 'api-key': 'revoked' }, 'auth/revoked-api-key'],
    [{ authorization: 'Bearer a', 'api-key': 'ended' }, 'auth/expired-api-key'],
    [{ authorization: 'Bearer one', 'x-api-key': 'two' }, 'auth/ambiguous-api-key'],
    [{ 'x-api-key': 'two', 'api-key': 'one' }, 'auth/ambiguous-api-key'],
  ])('%j is refused', (headers, code) => {
    expect(() => idOf(headers)).toThrow(expect.objectContaining({ code }))
  })
})

describe('the proxy', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())
  const status = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(`${world.baseUrl}${path}`, { headers })).status

  it('takes api-key on every path that needs a key, and on the health path', async () => {
    expect(await status('/models', { 'api-key': world.key })).toBe(200)
    expect(await status('/models', { 'api-key': 'wrong' })).toBe(401)
    expect(await status('/../health', { 'api-key': world.key })).toBe(200)
    expect(await status('/../health', { 'api-key': 'wrong' })).toBe(401)
  })
  it('refuses two different keys, and doesn’t choose', async () => {
    const { secret } = (await world.call('localApi/create', { name: 'Another', limits: {} })) as {
      secret: string
    }
    const response = await fetch(`${world.baseUrl}/models`, {
      headers: { authorization: `Bearer ${world.key}`, 'x-api-key': secret },
    })
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      401,
      'auth/ambiguous-api-key',
    ])
  })
  it('counts a request by the key that is valid', async () => {
    const { secret } = (await world.call('localApi/create', {
      name: 'Twice a minute',
      limits: { requestsPerMinute: 1 },
    })) as { secret: string }
    const ask = (): Promise<Response> =>
      world.post({ model: 'none' }, { authorization: 'Bearer sk-of-the-service', 'x-api-key': secret })
    expect((await ask()).status).toBe(400)
    expect((await ask()).status).toBe(429)
  })
})
