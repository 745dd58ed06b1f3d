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

describe('the exchange rate of a service', () => {
  it('is unknown at first; the last known rate is valid for a day, also after a restart', () => {
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

  it('is unknown if the clock was set back to an earlier time', () => {
    const { clock, open } = world()
    open().learn(1n, 1n)
    clock.at -= 1000
    expect(open().now()).toBeUndefined()
  })

  it('is calculated only from positive amounts', () => {
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
  ])('is unknown if the saved rate is malformed: %s', (text) => {
    const { kept, open } = world()
    kept.set(NAME, text)
    expect(open().now()).toBeUndefined()
  })
})
