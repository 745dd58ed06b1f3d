import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createExposition } from '../../../../../src/core/gateway/proxy/metrics/exposition.ts'
import { pathClass, pathClasses } from '../../../../../src/shared/path-class.ts'
import { RequestTally } from '../../../../../src/core/gateway/proxy/metrics/request-tally.ts'
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
const show = (tally: RequestTally) =>
  createExposition({
    tally,
    service: 'sandbox',
    version: '1.2.3',
    verdict: () => null,
    budgetsLeft: () => [],
    now: () => 5_000,
  }).text()

describe('requests as they are counted', () => {
  it.each([
    ['/v1/chat/completions', 'chat'],
    ['/v1/embeddings', 'embeddings'],
    ['/v1/images/generations', 'images'],
    ['/v1/audio/speech', 'audio'],
    ['/v1/videos/abc', 'video'],
    ['/v1/data/x', 'data'],
    ['/v1/secret', 'other'],
    ['', 'other'],
  ])('%s is of the class %s', (path, expected) => {
    expect(pathClass(path)).toBe(expected)
  })

  it('name nothing that a caller chose', () => {
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

  it('are counted by how they ended, with tokens and cost of whole answers alone', async () => {
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

  it('have added milliseconds as a histogram whose buckets are cumulative', async () => {
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

  it('are the same when they are read again', async () => {
    const tally = new RequestTally()
    tally.note({ ...receipt, usage: { prompt: 1, completion: 1 }, cost: '7' })
    const exposition = createExposition({
      tally,
      service: 'sandbox',
      version: '1',
      verdict: () => null,
      budgetsLeft: () => [],
      now: () => 0,
    })
    const requests = (text: string) => text.split('\n').filter((line) => line.startsWith('sotto_'))
    expect(requests(await exposition.text())).toEqual(requests(await exposition.text()))
  })

  it('of many models fill no memory', () => {
    const tally = new RequestTally()
    for (let at = 0; at < 600; at++) tally.note({ ...receipt, model: `m${String(at)}`, cost: '1' })
    const models = [...tally.models()]
    expect(models).toHaveLength(501)
    expect(models.find(({ labels }) => labels['model'] === 'other')!.value.picoUsd).toBe(100n)
  })
})
