import { describe, expect, it } from 'vitest'
import { createExchangeRateCache } from '../../../../src/core/payments/wallet/exchange-rate-cache.ts'

const DAY = 24 * 3_600_000
const NAME = 'exchange-rate'

function world() {
  const stored = new Map<string, string>()
  const clock = { at: 1_790_000_000_000.5 }
  const open = () =>
    createExchangeRateCache(
      { get: (name) => stored.get(name) ?? null, set: (name, value) => void stored.set(name, value) },
      () => clock.at,
    )
  return { kept: stored, clock, open }
}

describe('the rate of a service', () => {
  it('is unknown at first; the last that was learned counts, also after a start, for a day', () => {
    const { clock, open } = world()
    expect(open().now()).toBeUndefined()
    open().learn(10_000_000_000_000n, 12_500_000n)
    open().learn(5_000_000_000_000n, 12_500_000n)
    expect(open().now()).toEqual({ picoUsdPerSat: 400_000_000n, learnedAt: 1_790_000_000_000 })
    clock.at += DAY - 1
    expect(open().now()).toMatchObject({ picoUsdPerSat: 400_000_000n })
    clock.at += 1
    expect(open().now()).toBeUndefined()
  })

  it('is unknown where the clock was put back before it', () => {
    const { clock, open } = world()
    open().learn(1n, 1n)
    clock.at -= 1000
    expect(open().now()).toBeUndefined()
  })

  it('is learned from something for something alone', () => {
    const { kept, open } = world()
    for (const [picoUsd, msat] of [
      [0n, 1n],
      [1n, 0n],
      [-1n, 1n],
      [1n, -1n],
    ] as const)
      open().learn(picoUsd, msat)
    expect(kept.size).toBe(0)
  })

  it.each([
    '',
    'null',
    '{}',
    '{"picoUsdPerSat":"0","learnedAt":1}',
    '{"picoUsdPerSat":"-1","learnedAt":1}',
    '{"picoUsdPerSat":"1e9","learnedAt":1790000000000}',
    '{"picoUsdPerSat":800000000,"learnedAt":1790000000000}',
  ])('is unknown where what is kept is none: %s', (text) => {
    const { kept, open } = world()
    kept.set(NAME, text)
    expect(open().now()).toBeUndefined()
  })
})
