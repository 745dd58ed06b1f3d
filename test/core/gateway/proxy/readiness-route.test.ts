import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../../../world.ts'

const CHECKED_MS = 10_000

async function answer(world: World, path: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await fetch(`${world.baseUrl.replace('/v1', '')}${path}`, init)
  return [response.status, await response.text()]
}
const OK = '{"status":"ok"}'
const UNAVAILABLE = '{"status":"unavailable"}'

describe('without a key', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('is alive, and ready once private requests can be sealed', async () => {
    expect(await answer(world, '/livez')).toEqual([200, OK])
    expect(await world.call('privacy/current')).toBeNull()
    expect(await answer(world, '/readyz')).toEqual([200, OK])
    expect(await world.call('privacy/current')).toMatchObject({ good: true })
  })
  it('returns no more details with a key', async () => {
    const headers = { authorization: `Bearer ${world.key}` }
    expect(await answer(world, '/readyz', { headers })).toEqual([200, OK])
  })
  it('refuses another origin and a cross-site request', async () => {
    expect((await answer(world, '/livez', { headers: { origin: 'https://evil.example' } }))[0]).toBe(403)
    expect((await answer(world, '/readyz', { headers: { 'sec-fetch-site': 'cross-site' } }))[0]).toBe(403)
  })
  it('accepts no other method or path', async () => {
    for (const [path, method] of [
      ['/readyz', 'POST'],
      ['/livez/x', 'GET'],
      ['/v1/livez', 'GET'],
    ] as const)
      expect((await answer(world, path, { method }))[0], path).toBeGreaterThanOrEqual(400)
  })
  it('renews an expired verdict', async () => {
    const { validUntil } = (await world.call('privacy/current')) as { validUntil: number }
    world.clock.ahead = validUntil - Date.now() + CHECKED_MS
    expect(await answer(world, '/readyz')).toEqual([200, OK])
    expect(((await world.call('privacy/current')) as { validUntil: number }).validUntil).toBeGreaterThan(
      validUntil,
    )
  })
  it('isn’t ready if the service’s evidence is invalid, but alive', async () => {
    world.sandbox.setFault('other-measurement', true)
    const { validUntil } = (await world.call('privacy/current')) as { validUntil: number }
    world.clock.ahead = validUntil - Date.now() + CHECKED_MS
    expect(await answer(world, '/readyz')).toEqual([503, UNAVAILABLE])
    expect(await answer(world, '/livez')).toEqual([200, OK])
  })
})

it('isn’t ready while the vault is locked, but alive', async () => {
  await using world = await startWorld({
    vault: async (folder) => {
      const { unlockVault } = await import('../../../../src/core/core.ts')
      const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await vault.set('x', Buffer.from('y'))
      await vault.close()
      return unlockVault({ mode: 'file', folder })
    },
  })
  expect(await answer(world, '/readyz')).toEqual([503, UNAVAILABLE])
  expect(await answer(world, '/livez')).toEqual([200, OK])
  await world.call('vault/unlock', { passphrase: 'correct horse' })
  expect(await answer(world, '/readyz')).toEqual([200, OK])
})
