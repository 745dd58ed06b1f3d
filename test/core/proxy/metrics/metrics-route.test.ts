import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openVault } from '../../../../src/core/core.ts'
import { giveFirstKey } from '../../../limited-key.ts'
import { OPEN_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({
    vault: async (folder) => {
      const vault = await openVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await giveFirstKey({ vault, folder, profileId: 'sandbox', limits: { grants: ['metrics'] } })
      return vault
    },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const metrics = (of: World, authorization = `Bearer ${of.key}`) => fetch(`${of.baseUrl.replace('/v1', '')}/metrics`, { headers: { authorization } })

describe('GET /metrics', () => {
  it('needs a key, and one that was granted it', async () => {
    expect((await metrics(world, '')).status).toBe(401)
    await using other = await startWorld()
    const refused = await metrics(other)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { code: 'proxy/key-grant' } })
  })

  it('counts what went through, and names no model that is not listed', async () => {
    const messages = [{ role: 'user', content: 'canary-in-the-prompt' }]
    for (const model of [OPEN_MODEL, PRIVATE_MODEL, 'canary/model']) await (await world.post({ model, messages })).text()
    const response = await metrics(world)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    expect(text).toContain('sotto_requests_total{caller="proxy",path="chat",privacy="forwarded",outcome="complete",code=""} 1')
    expect(text).toContain('sotto_requests_total{caller="proxy",path="chat",privacy="sealed",outcome="complete",code=""} 1')
    expect(text).toContain('sotto_requests_total{caller="proxy",path="chat",privacy="refused",outcome="refused",code="model/unknown"} 1')
    expect(text).toMatch(new RegExp(`sotto_tokens_total\\{privacy="sealed",model="${PRIVATE_MODEL}",kind="completion"\\} [1-9]`))
    expect(text).toMatch(/sotto_cost_usd_total\{privacy="forwarded",model="[^"]+"\} 0?\.?\d/)
    expect(text).toContain('sotto_in_flight_requests 0')
    expect(text).toContain('sotto_verdict_in_force 1')
    expect(text).toMatch(/^sotto_verdict_age_seconds \d/m)
    expect(text).not.toContain('canary')
    expect(text).not.toContain(world.key)
  })
})
