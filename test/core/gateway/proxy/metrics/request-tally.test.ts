import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExposition, type Measured } from '../../../../../src/core/gateway/proxy/metrics/exposition.ts'
import { pathClass, pathClasses } from '../../../../../src/shared/log-events.ts'
import { RequestTally } from '../../../../../src/core/gateway/proxy/metrics/request-tally.ts'
import type { Verdict } from '../../../../../src/shared/verdict.ts'
import type { Receipt } from '../../../../../src/shared/receipt.ts'

const receipt: Receipt = {
  id: 'r',
  at: 0,
  caller: { kind: 'proxy' },
  service: 'sandbox',
  model: 'sandbox/allegro-mini',
  path: '/v1/chat/completions',
  privacy: 'forwarded',
  outcome: 'complete',
  bytesSent: 1,
  bytesReceived: 1,
  addedMs: 1.5,
  durationMs: 20,
}
const show = (tally: RequestTally, more: Partial<Measured> = {}) =>
  createExposition({
    tally,
    service: 'sandbox',
    version: '1.2.3',
    verdict: () => null,
    budgetsLeft: () => [],
    liveKeys: () => [{ id: 'k1', name: 'Editor' }],
    balance: () => null,
    lag: () => new Map(),
    shared: () => [],
    now: () => 5_000,
    ...more,
  }).text()

describe('counted requests', () => {
  it.each([
    ['/v1/chat/completions', 'chat'],
    ['/v1/embeddings', 'embeddings'],
    ['/v1/images/generations', 'images'],
    ['/v1/audio/speech', 'audio'],
    ['/v1/videos/abc', 'video'],
    ['/v1/data/x', 'data'],
    ['/v1/secret', 'other'],
    ['', 'other'],
  ])('with the path %s have the class %s', (path, expected) => {
    expect(pathClass(path)).toBe(expected)
  })

  it('have only labels from fixed sets', () => {
    const closed = new Set<string>(pathClasses)
    fc.assert(
      fc.property(fc.record({ path: fc.string(), code: fc.string(), model: fc.string() }), (chosen) => {
        const tally = new RequestTally()
        tally.begin()
        tally.note({ ...receipt, ...chosen, privacy: 'refused', outcome: 'refused' })
        const [count] = [...tally.requests()]
        expect(closed).toContain(count!.labels['path'])
        expect(count!.labels['code']).toBe('')
        expect([...tally.models()]).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('are counted by outcome, with tokens and cost of complete answers only', async () => {
    const tally = new RequestTally()
    for (let at = 0; at < 3; at++) tally.begin()
    tally.note({ ...receipt, usage: { prompt: 10, completion: 5 }, cost: '1500000000' })
    tally.note({ ...receipt, privacy: 'sealed', outcome: 'failed', code: 'service/failed', addedMs: 3000 })
    const text = await show(tally)
    expect(text).toContain(
      'sotto_requests_total{caller="proxy",path="chat",privacy="forwarded",outcome="complete",code=""} 1',
    )
    expect(text).toContain(
      'sotto_requests_total{caller="proxy",path="chat",privacy="sealed",outcome="failed",code="service/failed"} 1',
    )
    expect(text).toContain(
      'sotto_tokens_total{privacy="forwarded",model="sandbox/allegro-mini",kind="prompt"} 10',
    )
    expect(text).toContain('sotto_cost_usd_total{privacy="forwarded",model="sandbox/allegro-mini"} 0.0015')
    expect(text).toContain('sotto_cost_differences_total 0')
    tally.note({ ...receipt, cost: '5000000000', listedCost: '1000000000' })
    expect(await show(tally)).toContain('sotto_cost_differences_total 1')
    expect(text).toContain('sotto_in_flight_requests 1')
    expect(text).toContain('sotto_verdict_in_force 0')
    expect(text).not.toMatch(/^sotto_verdict_age_seconds /m)
  })

  it('have a cumulative histogram of the added time', async () => {
    const tally = new RequestTally()
    for (const addedMs of [0.4, 1.5, 1.6, 3000]) tally.note({ ...receipt, addedMs })
    const text = await show(tally)
    expect(text).toContain('# TYPE sotto_added_seconds histogram')
    expect(text).toContain('sotto_added_seconds_bucket{privacy="forwarded",le="0.0005"} 1')
    expect(text).toContain('sotto_added_seconds_bucket{privacy="forwarded",le="0.002"} 3')
    expect(text).toContain('sotto_added_seconds_bucket{privacy="forwarded",le="1"} 3')
    expect(text).toContain('sotto_added_seconds_bucket{privacy="forwarded",le="+Inf"} 4')
    expect(text).toContain('sotto_added_seconds_count{privacy="forwarded"} 4')
    expect(Number(/sotto_added_seconds_sum\{privacy="forwarded"\} (\S+)/.exec(text)![1])).toBeCloseTo(
      3.0035,
      6,
    )
  })

  it('have a duration by path, and a time to first token for chat', async () => {
    const tally = new RequestTally()
    tally.note({ ...receipt, durationMs: 400, firstByteMs: 90 })
    tally.note({ ...receipt, durationMs: 400_000, firstByteMs: 90_000 })
    tally.note({ ...receipt, path: '/v1/images/generations', durationMs: 5000, firstByteMs: 4000 })
    tally.note({ ...receipt, privacy: 'refused', outcome: 'refused', durationMs: 1 })
    const text = await show(tally)
    expect(text).toContain('# TYPE sotto_request_duration_seconds histogram')
    const duration = 'sotto_request_duration_seconds'
    expect(text).toContain(`${duration}_bucket{path="chat",privacy="forwarded",le="0.25"} 0`)
    expect(text).toContain(`${duration}_bucket{path="chat",privacy="forwarded",le="0.5"} 1`)
    expect(text).toContain(`${duration}_bucket{path="chat",privacy="forwarded",le="300"} 1`)
    expect(text).toContain(`${duration}_bucket{path="chat",privacy="forwarded",le="+Inf"} 2`)
    expect(text).toContain(`${duration}_sum{path="chat",privacy="forwarded"} 400.4`)
    expect(text).toContain(`${duration}_bucket{path="images",privacy="forwarded",le="5"} 1`)
    expect(text).not.toContain(`${duration}_count{path="chat",privacy="refused"}`)
    expect(text).toContain('sotto_first_token_seconds_bucket{privacy="forwarded",le="0.1"} 1')
    expect(text).toContain('sotto_first_token_seconds_count{privacy="forwarded"} 2')
  })

  it('are counted by local key, for active keys', async () => {
    const tally = new RequestTally()
    const caller = { kind: 'proxy', localKeyId: 'k1' } as const
    tally.note({ ...receipt, caller, usage: { prompt: 10, completion: 5 }, cost: '1500000000' })
    // The key is charged the estimate while a cost is doubted.
    tally.note({ ...receipt, caller, outcome: 'failed', cost: '9000000000', charged: '500000000' })
    tally.note({ ...receipt, caller: { kind: 'proxy', localKeyId: 'revoked' }, cost: '1' })
    tally.note({ ...receipt, caller: { kind: 'window' }, cost: '1' })
    const text = await show(tally)
    expect(text.split('\n').filter((line) => line.startsWith('sotto_key_'))).toEqual([
      'sotto_key_requests_total{key="Editor",outcome="complete"} 1',
      'sotto_key_requests_total{key="Editor",outcome="failed"} 1',
      'sotto_key_tokens_total{key="Editor",kind="prompt"} 10',
      'sotto_key_tokens_total{key="Editor",kind="completion"} 5',
      'sotto_key_cost_usd_total{key="Editor"} 0.002',
    ])
  })

  it('are limited to 1,000 local keys', () => {
    const tally = new RequestTally()
    for (let at = 0; at < 1100; at++)
      tally.note({ ...receipt, caller: { kind: 'proxy', localKeyId: `k${String(at)}` } })
    expect(tally.keys.of('k999')).toBeDefined()
    expect(tally.keys.of('k1000')).toBeUndefined()
  })

  it('are unchanged when the metrics are read again', async () => {
    const tally = new RequestTally()
    tally.note({ ...receipt, usage: { prompt: 1, completion: 1 }, cost: '7' })
    const exposition = createExposition({
      tally,
      service: 'sandbox',
      version: '1',
      verdict: () => null,
      budgetsLeft: () => [],
      liveKeys: () => [],
      balance: () => null,
      lag: () => new Map(),
      shared: () => [],
      now: () => 0,
    })
    const requests = (text: string) => text.split('\n').filter((line) => line.startsWith('sotto_'))
    expect(requests(await exposition.text())).toEqual(requests(await exposition.text()))
  })

  it('are limited to 500 models and one for all others', () => {
    const tally = new RequestTally()
    for (let at = 0; at < 600; at++) tally.note({ ...receipt, model: `m${String(at)}`, cost: '1' })
    const models = [...tally.models()]
    expect(models).toHaveLength(501)
    expect(models.find(({ labels }) => labels['model'] === 'other')!.value.picoUsd).toBe(100n)
  })
})

describe('the metrics of the state contain', () => {
  const verdict = { good: true, validUntil: 6_000, verifiedAt: 1_000 } as Verdict
  it.each([
    ['none', null],
    ['failed', { ...verdict, good: false }],
    ['expired', { ...verdict, validUntil: 5_000 }],
    ['in_force', verdict],
  ])('the verdict as %s', async (state, value) => {
    const text = await show(new RequestTally(), { verdict: () => value })
    const states = [...text.matchAll(/^sotto_verdict_state\{state="(\w+)"\} ([01])$/gm)]
    expect(states.map(([, name]) => name)).toEqual(['none', 'failed', 'expired', 'in_force'])
    expect(states.filter(([, , is]) => is === '1').map(([, name]) => name)).toEqual([state])
    expect(text).toContain(`sotto_verdict_in_force ${state === 'in_force' ? '1' : '0'}`)
  })

  it('the balance and its age', async () => {
    const text = await show(new RequestTally(), {
      balance: () => ({ picoUsd: 1_250_000_000_000n, at: 2_000 }),
    })
    expect(text).toContain('sotto_balance_usd 1.25\n')
    expect(text).toContain('sotto_balance_age_seconds 3\n')
    expect(await show(new RequestTally())).not.toMatch(/^sotto_balance_usd /m)
  })

  it('the lag of the event loop', async () => {
    const text = await show(new RequestTally(), { lag: () => new Map([['p99', 0.25]]) })
    expect(text).toContain('sotto_event_loop_lag_seconds{statistic="p99"} 0.25')
  })
})
