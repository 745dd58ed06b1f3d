import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateImages, estimateVideo } from '../../../../src/core/gateway/pricing/index.ts'
import type { MediaPrice, PriceTable } from '../../../../src/shared/price-table.ts'

const byQuality: MediaPrice = {
  base: '80',
  tables: [{ by: 'quality', of: { low: '23', medium: '80', high: '218' } }],
}
const exactly = (amount: bigint): { least: bigint; most: bigint } => ({ least: amount, most: amount })

describe('estimateImages', () => {
  test('returns the listed price of the requested option, for each image', () => {
    expect(estimateImages(byQuality, { quality: 'high' })).toEqual(exactly(218n))
    expect(estimateImages(byQuality, { quality: ' Low ', n: 3 })).toEqual(exactly(69n))
  })
  test('returns the range of all options if the request names none, including the base price', () => {
    expect(estimateImages(byQuality, {})).toEqual({ least: 23n, most: 218n })
    expect(estimateImages({ ...byQuality, base: '300' }, { n: 2 })).toEqual({ least: 46n, most: 600n })
    expect(estimateImages({ ...byQuality, base: '300' }, { quality: 'low' })).toEqual(exactly(23n))
  })
  test('returns unknown for an unlisted option, an invalid price or an invalid count', () => {
    expect(estimateImages(byQuality, { quality: 'ultra' })).toBe('unknown')
    expect(estimateImages(undefined, {})).toBe('unknown')
    expect(estimateImages({ tables: [] }, {})).toBe('unknown')
    expect(estimateImages({ base: '-1', tables: [] }, {})).toBe('unknown')
    expect(estimateImages({ tables: [{ by: 'quality', of: {} }] }, {})).toBe('unknown')
    expect(estimateImages({ tables: [{ by: 'quality', of: { low: '-1', high: '3' } }] }, {})).toBe('unknown')
    for (const n of [0, -1, 1.5, NaN, Infinity]) expect(estimateImages(byQuality, { n })).toBe('unknown')
  })
  test('returns the base price if there are no tables', () =>
    expect(estimateImages({ base: '7', tables: [] }, { quality: 'any', n: 4 })).toEqual(exactly(28n)))
  test('reads nested tables, and covers every row of a parameter that the request doesn’t name', () => {
    const nested: MediaPrice = {
      tables: [
        {
          by: 'quality',
          of: { low: { of: { '1:1': '1', '16:9': '2' } }, high: { of: { '1:1': '10', '16:9': '20' } } },
        },
      ],
    }
    expect(estimateImages(nested, { quality: 'high', size: '16:9' })).toEqual(exactly(20n))
    expect(estimateImages(nested, { size: '1:1' })).toEqual({ least: 1n, most: 10n })
    expect(estimateImages(nested, { quality: 'low' })).toEqual({ least: 1n, most: 2n })
    expect(estimateImages(nested, { quality: 'low', size: '4:3' })).toBe('unknown')
    const tiers: MediaPrice = { tables: [{ of: { '1k': '4', '4k': '9' } }] }
    expect(estimateImages(tiers, { resolution: '4K' })).toEqual(exactly(9n))
    expect(estimateImages(tiers, { size: '1:1' })).toEqual({ least: 4n, most: 9n })
    expect(estimateImages(tiers, { quality: '8k' })).toBe('unknown')
  })
  test('returns a price from two separate tables only if they agree', () => {
    const two: MediaPrice = {
      base: '1',
      tables: [
        { by: 'quality', of: { low: '5', high: '9' } },
        { by: 'size', of: { '1:1': '5', '16:9': '6' } },
      ],
    }
    expect(estimateImages(two, { quality: 'low', size: '1:1' })).toEqual(exactly(5n))
    expect(estimateImages(two, { quality: 'low', size: '16:9' })).toBe('unknown')
    expect(estimateImages(two, {})).toBe('unknown')
  })
})

describe('estimateVideo', () => {
  const byDuration: MediaPrice = { base: '402', tables: [{ by: 'duration', of: { 5: '402', '10s': '805' } }] }
  test('returns the price of the requested duration, in any listed notation', () => {
    expect(estimateVideo(byDuration, { duration: '5' })).toEqual(exactly(402n))
    expect(estimateVideo(byDuration, { duration: '10' })).toEqual(exactly(805n))
    expect(estimateVideo(byDuration, {})).toEqual({ least: 402n, most: 805n })
    expect(estimateVideo(byDuration, { duration: '7' })).toBe('unknown')
  })
  test('multiplies a price per second by the duration, if only that price is listed', () => {
    expect(estimateVideo({ perSecond: '30', tables: [] }, { duration: '8' })).toEqual(exactly(240n))
    expect(estimateVideo({ perSecond: '30', tables: [] }, {})).toBe('unknown')
    expect(estimateVideo({ perSecond: '30', base: '5', tables: [] }, { duration: '8' })).toBe('unknown')
    expect(estimateVideo({ perSecond: '30', tables: [] }, { duration: '0' })).toBe('unknown')
  })
  test('matches the quality to a resolution', () => {
    const tiers: MediaPrice = {
      tables: [
        {
          by: 'resolution',
          of: { '720p': { of: { 5: '1', 10: '2' } }, '1080p': { of: { 5: '3', 10: '6' } } },
        },
      ],
    }
    expect(estimateVideo(tiers, { quality: '1080p', duration: '10' })).toEqual(exactly(6n))
    expect(estimateVideo(tiers, { duration: '5' })).toEqual({ least: 1n, most: 3n })
  })
})

describe('an estimate from any listing', () => {
  const value = fc.constantFrom('low', 'medium', 'high', '1k', '4k', '1:1', '16:9', '5', '10s')
  const table: fc.Arbitrary<PriceTable> = fc.letrec<{ table: PriceTable }>((tie) => ({
    table: fc.oneof(
      { maxDepth: 3 },
      fc.bigInt(-2n, 10n ** 14n).map(String),
      fc.record({
        by: fc.constantFrom('quality', 'size', 'resolution', 'duration', undefined),
        of: fc.dictionary(value, tie('table'), { maxKeys: 4 }),
      }),
    ),
  })).table
  const price: fc.Arbitrary<MediaPrice> = fc.record({
    base: fc.option(fc.bigInt(-2n, 10n ** 14n).map(String), { nil: undefined }),
    perSecond: fc.option(fc.bigInt(-2n, 10n ** 12n).map(String), { nil: undefined }),
    tables: fc.array(table, { maxLength: 3 }),
  })
  const requests = fc.record({ quality: value, size: value, resolution: value }, { requiredKeys: [] })
  const leaves = (tree: PriceTable): bigint[] =>
    typeof tree === 'string' ? [BigInt(tree)] : Object.values(tree.of).flatMap(leaves)

  test('is in order, never negative, and uses only listed prices', () => {
    fc.assert(
      fc.property(price, requests, (listing, request) => {
        const estimate = estimateImages(listing, request)
        if (estimate === 'unknown') return
        const listed = [
          ...listing.tables.flatMap(leaves),
          ...(listing.base === undefined ? [] : [BigInt(listing.base)]),
        ]
        expect(estimate.least >= 0n && estimate.least <= estimate.most).toBe(true)
        expect(listed).toContain(estimate.least)
        expect(listed).toContain(estimate.most)
      }),
    )
  })
  test('is n times as high for n images', () => {
    fc.assert(
      fc.property(price, requests, fc.integer({ min: 1, max: 10 }), (listing, request, n) => {
        const [one, many] = [estimateImages(listing, request), estimateImages(listing, { ...request, n })]
        expect(many).toEqual(
          one === 'unknown' ? 'unknown' : { least: one.least * BigInt(n), most: one.most * BigInt(n) },
        )
      }),
    )
  })
  test('never exceeds the range of the listing when the request names more options', () => {
    fc.assert(
      fc.property(table, requests, (tree, request) => {
        const [open, closed] = [
          estimateImages({ tables: [tree] }, {}),
          estimateImages({ tables: [tree] }, request),
        ]
        if (open === 'unknown' || closed === 'unknown') return
        expect(closed.least >= open.least && closed.most <= open.most).toBe(true)
      }),
    )
  })
})
