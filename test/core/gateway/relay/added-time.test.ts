import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AddedTime } from '../../../../src/core/gateway/relay/added-time.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => void vi.advanceTimersByTime(ms)

describe('what Sotto adds', () => {
  it('does not contain what is waited for: neither proof nor service', () => {
    const time = new AddedTime(performance.now())
    pass(1)
    time.waits()
    pass(500)
    time.proven()
    pass(2)
    time.leaves()
    pass(4000)
    time.answered()
    pass(8)
    expect(time.read()).toEqual({ addedMs: 11, proofMs: 500, sealMs: 2 })
  })

  it('is what it was when the answer began to be passed on', () => {
    const time = new AddedTime(performance.now())
    time.leaves()
    pass(100)
    time.answered()
    pass(3)
    const measured = time.read()
    expect(measured).toEqual({ addedMs: 3, proofMs: undefined, sealMs: undefined })
    pass(1000)
    expect(time.read()).toEqual(measured)
  })

  it('of a request that fails while it waits is what came before', () => {
    const time = new AddedTime(performance.now())
    pass(5)
    time.leaves()
    pass(1000)
    expect(time.read().addedMs).toBe(5)
  })

  it('of a request that is sealed twice contains both sealings', () => {
    const time = new AddedTime(performance.now())
    time.waits()
    time.proven()
    pass(2)
    time.leaves()
    pass(100)
    time.proven()
    pass(3)
    time.leaves()
    pass(100)
    time.answered()
    expect(time.read()).toEqual({ addedMs: 5, proofMs: 100, sealMs: 5 })
  })

  it('begins when the request had been read', () => {
    const read = performance.now()
    pass(7)
    expect(new AddedTime(read).read().addedMs).toBe(7)
  })
})
