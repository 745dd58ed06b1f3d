import { describe, expect, it } from 'vitest'
import { interleave, mean, median, quantile } from './statistics.ts'

describe('quantile', () => {
  it('uses the nearest rank, for samples in any order', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([
      quantile(hundred, 0.99),
      quantile(hundred, 0.1),
      median(hundred),
      quantile(hundred, 1),
      quantile(hundred, 0),
    ]).toEqual([99, 10, 50, 100, 1])
    expect(median([3, 1, 2])).toBe(2)
    expect(mean([3, 1, 5])).toBe(3)
  })

  it('is NaN if there are no samples', () => {
    expect(median([])).toBeNaN()
  })
})

describe('interleave', () => {
  it('rotates the order of the subjects and excludes the warm-up', async () => {
    const order: string[] = []
    const samples = await interleave(['a', 'b', 'c'], { rounds: 3, warmUp: 1, deadlineMs: 10_000 }, (name) =>
      order.push(name),
    )
    expect(order.join('')).toBe('abcbcacababc')
    expect(samples).toEqual({ a: [6, 8, 10], b: [4, 9, 11], c: [5, 7, 12] })
  })

  it('stops at its deadline', async () => {
    const samples = await interleave(['a'], { rounds: 1_000, warmUp: 0, deadlineMs: 0 }, () => 1)
    expect(samples.a).toEqual([])
  })
})
