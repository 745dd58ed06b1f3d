import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unlockVault } from '../../../../../src/core/core.ts'
import { giveFirstKey } from '../../../../limited-key.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../../../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({
    vault: async (folder) => {
      const vault = await unlockVault({ mode: 'file', folder, passphrase: 'correct horse' })
      await giveFirstKey({ vault, folder, profileId: 'sandbox', limits: { grants: ['metrics'] } })
      return vault
    },
  })
})
afterAll(() => world[Symbol.asyncDispose]())

const metrics = (of: World, authorization = `Bearer ${of.key}`) =>
  fetch(`${of.baseUrl.replace('/v1', '')}/metrics`, { headers: { authorization } })

describe('GET /metrics', () => {
  it('needs a key, and one that was granted it', async () => {
    expect((await metrics(world, '')).status).toBe(401)
    await using other = await startWorld()
    const refused = await metrics(other)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ error: { code: 'auth/insufficient-scope' } })
  })

  it('counts what went through, and names no model that is not listed', async () => {
    const messages = [{ role: 'user', content: 'canary-in-the-prompt' }]
    for (const model of [PLAINTEXT_MODEL, PRIVATE_MODEL, 'canary/model'])
      await (await world.post({ model, messages })).text()
    const response = await metrics(world)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    expect(text).toContain(
      'sotto_requests_total{caller="proxy",path="chat",privacy="forwarded",outcome="complete",code=""} 1',
    )
    expect(text).toContain(
      'sotto_requests_total{caller="proxy",path="chat",privacy="sealed",outcome="complete",code=""} 1',
    )
    expect(text).toContain(
      'sotto_requests_total{caller="proxy",path="chat",privacy="refused",outcome="refused",code="model/unknown"} 1',
    )
    expect(text).toMatch(
      new RegExp(`sotto_tokens_total\\{privacy="sealed",model="${PRIVATE_MODEL}",kind="completion"\\} [1-9]`),
    )
    expect(text).toMatch(/sotto_cost_usd_total\{privacy="forwarded",model="[^"]+"\} 0?\.?\d/)
    expect(text).toContain('sotto_in_flight_requests 0')
    expect(text).toContain('sotto_verdict_in_force 1')
    expect(text).toMatch(/^sotto_verdict_age_seconds \d/m)
    expect(text).not.toContain('canary')
    expect(text).not.toContain(world.key)
  })
})

describe('the remaining budgets', () => {
  const create = (name: string, picoUsd: string, more = {}) =>
    world.call('localApi/create', {
      name,
      limits: { budget: { picoUsd, period: 'month' }, ...more },
    }) as Promise<{ key: { id: string }; secret: string }>
  const limits = async () =>
    (await (await metrics(world)).text())
      .split('\n')
      .filter((line) => line.startsWith('sotto_key_budget_limit_usd'))
  const gauges = async () =>
    (await (await metrics(world)).text())
      .split('\n')
      .filter((line) => line.startsWith('sotto_key_budget_remaining_usd'))

  it('is absent without a budget', async () => {
    expect(await gauges()).toEqual([])
  })

  it('falls by what a key was charged, and by nothing that another key was', async () => {
    const { secret, key } = await create('Editor "one"\\two', '2500000000000')
    await create('Other', '300000000000')
    await (
      await world.post(
        { model: PLAINTEXT_MODEL, messages: [{ role: 'user', content: 'Hello' }] },
        { authorization: `Bearer ${secret}` },
      )
    ).text()
    const spentOf = async () =>
      ((await world.call('localApi/keys')) as { id: string; spent: string; held: string }[]).find(
        ({ id }) => id === key.id,
      )
    await expect.poll(spentOf).toMatchObject({ spent: expect.not.stringMatching(/^0$/) as string, held: '0' })
    const left = 2_500_000_000_000n - BigInt((await spentOf())!.spent)
    expect(left).toBeGreaterThan(0n)
    // The name is escaped as the text format requires.
    expect(await gauges()).toEqual([
      `sotto_key_budget_remaining_usd{key="Editor \\"one\\"\\\\two"} ${String(Number(left) / 1e12)}`,
      'sotto_key_budget_remaining_usd{key="Other"} 0.3',
    ])
    // An alert rule divides one by the other.
    expect(await limits()).toEqual([
      'sotto_key_budget_limit_usd{key="Editor \\"one\\"\\\\two"} 2.5',
      'sotto_key_budget_limit_usd{key="Other"} 0.3',
    ])
  })

  it('leaves no series of a key that was renamed, revoked or has expired', async () => {
    const [first, second] = ((await world.call('localApi/keys')) as { id: string; name: string }[]).filter(
      ({ name }) => name !== 'First key',
    )
    await world.call('localApi/revoke', { keyId: first!.id })
    await world.call('localApi/update', { keyId: second!.id, name: 'Renamed' })
    await create('Short', '1000000000000', { expiresAt: Date.now() - 1000 })
    expect(await gauges()).toEqual(['sotto_key_budget_remaining_usd{key="Renamed"} 0.3'])
  })

  it('is Prometheus text, with one HELP and one TYPE before the samples of each metric', async () => {
    const text = await (await metrics(world)).text()
    expect(text).toContain(
      '# HELP sotto_key_budget_remaining_usd Remaining budget of a local key in its current period, in US dollars.\n# TYPE sotto_key_budget_remaining_usd gauge\nsotto_key_budget_remaining_usd{',
    )
    expect(text.endsWith('\n')).toBe(true)
    const wrong = text
      .split('\n')
      .filter(
        (line) =>
          line !== '' &&
          !/^# (?:HELP [a-z_]+ .+|TYPE [a-z_]+ (?:counter|gauge|histogram))$/.test(line) &&
          !/^[a-z_]+(?:\{[a-z_]+="(?:[^"\\]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\]|\\[\\"n])*")*\})? -?[\d.]+(?:e-?\d+)?$/.test(
            line,
          ),
      )
    expect(wrong).toEqual([])
    for (const kind of ['HELP', 'TYPE']) {
      const names = [...text.matchAll(new RegExp(`^# ${kind} (\\S+)`, 'gm'))].map(([, name]) => name)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
