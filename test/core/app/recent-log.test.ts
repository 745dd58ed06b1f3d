import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { RecentLog } from '../../../src/core/app/recent-log.ts'

describe('the recent log', () => {
  it('holds what was logged, with its time and number, and passes it on', () => {
    const passed: unknown[] = []
    const recent = new RecentLog(
      () => 7,
      (name, fields) => void passed.push([name, fields]),
    )
    const refused = {
      code: 'auth/invalid-api-key',
      status: 401,
      method: 'GET',
      route: '/v1/models',
      keyFingerprint: '0a1b2c3d',
    } as const
    recent.log('vault/opened', {})
    recent.log('proxy/refused', refused)
    expect(recent.entries()).toEqual([
      { seq: 1, at: 7, level: 'info', event: 'vault/opened', fields: {} },
      {
        seq: 2,
        at: 7,
        level: 'warn',
        event: 'proxy/refused',
        fields: refused,
      },
    ])
    expect(passed).toHaveLength(2)
  })
  it('takes nothing that is not of its event’s form', () => {
    const recent = new RecentLog(() => 7, undefined)
    const fields = {
      payment: randomUUID(),
      purpose: 'request',
      state: 'paid',
      code: 'the secret words',
    } as const
    // @ts-expect-error a code from outside
    recent.log('payment/changed', fields)
    expect(recent.entries()).toEqual([{ seq: 1, at: 7, level: 'error', event: 'log/refused', fields: {} }])
  })
  it('holds the last two thousand', () => {
    const recent = new RecentLog(() => 7, undefined)
    for (let n = 0; n < 5001; n++) recent.log('vault/opened', {})
    expect(recent.entries()).toHaveLength(2000)
    expect(recent.entries().at(-1)?.seq).toBe(5001)
  })
  it('tells who watches first what there was, then what comes, and nothing twice', async () => {
    const recent = new RecentLog(() => 7, undefined)
    recent.log('vault/opened', {})
    const stop = new AbortController()
    const seen = recent.watch(stop.signal)
    expect((await seen.next()).value).toMatchObject([{ seq: 1 }])
    const next = seen.next()
    recent.log('vault/opened', {})
    expect((await next).value).toMatchObject([{ seq: 2 }])
    const last = seen.next()
    stop.abort()
    expect((await last).done).toBe(true)
  })
})
