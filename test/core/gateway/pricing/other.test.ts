import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  estimateData,
  estimateEmbeddings,
  estimateSpeech,
  estimateTranscription,
} from '../../../../src/core/gateway/pricing/index.ts'
import type { Model } from '../../../../src/shared/model.ts'

const embedding: Model = {
  id: 'e',
  name: 'E',
  private: false,
  contextLength: 8191,
  inputPerMillion: '22000000000',
}

describe('estimateEmbeddings', () => {
  test('bounds the tokens of each text by its bytes and by the context', () => {
    expect(estimateEmbeddings({ ...embedding, inputPerMillion: '1000000' }, [80, 8])).toEqual({
      least: 11n,
      most: 84n + 12n,
    })
    expect(estimateEmbeddings({ ...embedding, inputPerMillion: '1000000' }, [10_000_000])).toEqual({
      least: 8191n,
      most: 8191n,
    })
  })
  test('does not know a price that is not listed, nor what nothing is', () => {
    const { inputPerMillion: _, ...unpriced } = embedding
    expect(estimateEmbeddings(unpriced, [10])).toBe('unknown')
    expect(estimateEmbeddings({ ...embedding, inputPerMillion: '-1000000' }, [10])).toBe('unknown')
    expect(estimateEmbeddings(embedding, [])).toBe('unknown')
    expect(estimateEmbeddings(embedding, [10, NaN])).toBe('unknown')
  })
  test('more text never costs less, and what is not free never comes to nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100_000), { minLength: 1, maxLength: 10 }),
        fc.nat(10),
        fc.nat(1000),
        fc.bigInt(1n, 10n ** 15n),
        (sizes, at, more, price) => {
          const model = { ...embedding, inputPerMillion: price.toString() }
          const [less, grown] = [
            estimateEmbeddings(model, sizes),
            estimateEmbeddings(model, sizes.with(at % sizes.length, (sizes[at % sizes.length] ?? 0) + more)),
          ]
          if (less === 'unknown' || grown === 'unknown') throw new Error('both are known')
          expect(
            less.least <= less.most && grown.least >= less.least && grown.most >= less.most && less.most > 0n,
          ).toBe(true)
        },
      ),
    )
  })
})

describe('estimateSpeech', () => {
  const price = { amount: '189900000000' }
  test('by the thousand characters where the listing does not say, rounded up', () => {
    expect(estimateSpeech(price, 1000)).toEqual({ least: 189_900_000_000n, most: 189_900_000_000n })
    expect(estimateSpeech({ amount: '1', per: 'thousand-characters' }, 1)).toEqual({ least: 1n, most: 1n })
    expect(estimateSpeech({ amount: '3', per: 'character' }, 7)).toEqual({ least: 21n, most: 21n })
  })
  test('unknown: no price, another unit, no count', () => {
    expect(estimateSpeech(undefined, 10)).toBe('unknown')
    expect(estimateSpeech({ amount: '-1' }, 10)).toBe('unknown')
    expect(estimateSpeech({ ...price, per: 'minute' }, 10)).toBe('unknown')
    for (const count of [-1, 0.5, NaN, Infinity]) expect(estimateSpeech(price, count)).toBe('unknown')
  })
})

describe('estimateTranscription', () => {
  test('least to the millisecond, most by whole minutes', () => {
    expect(estimateTranscription({ amount: '6000' }, 90_000)).toEqual({ least: 9000n, most: 12_000n })
    expect(estimateTranscription({ amount: '100', per: 'second' }, 1001)).toEqual({ least: 101n, most: 200n })
  })
  test('unknown: no length, no price, another unit', () => {
    for (const length of [undefined, 0, -1, NaN, Infinity])
      expect(estimateTranscription({ amount: '6000' }, length)).toBe('unknown')
    expect(estimateTranscription(undefined, 1000)).toBe('unknown')
    expect(estimateTranscription({ amount: '6000', per: 'thousand-characters' }, 1000)).toBe('unknown')
  })
  test('a longer recording never costs less', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 13n),
        fc.double({ min: 0.001, max: 1e8, noNaN: true }),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        fc.constantFrom('minute', 'second', undefined),
        (amount, length, more, per) => {
          const price = { amount: amount.toString(), per }
          const [shorter, longer] = [
            estimateTranscription(price, length),
            estimateTranscription(price, length + more),
          ]
          if (shorter === 'unknown' || longer === 'unknown') throw new Error('both are known')
          expect(
            shorter.least <= shorter.most &&
              longer.least >= shorter.least &&
              longer.most >= shorter.most &&
              shorter.least > 0n,
          ).toBe(true)
        },
      ),
    )
  })
})

describe('estimateData', () => {
  test('is what the entry lists, free ones too', () => {
    expect(estimateData({ price: 11_500_000_000n })).toEqual({
      least: 11_500_000_000n,
      most: 11_500_000_000n,
    })
    expect(estimateData({ price: 0n })).toEqual({ least: 0n, most: 0n })
    expect(estimateData({})).toBe('unknown')
    expect(estimateData({ price: -1n })).toBe('unknown')
  })
})
