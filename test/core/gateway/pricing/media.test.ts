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
  test('takes the row that the request names, for each image', () => {
    expect(estimateImages(byQuality, { quality: 'high' })).toEqual(exactly(218n))
    expect(estimateImages(byQuality, { quality: ' Low ', n: 3 })).toEqual(exactly(69n))
  })
  test('spans every row where the request leaves it open, and the base', () => {
    expect(estimateImages(byQuality, {})).toEqual({ least: 23n, most: 218n })
    expect(estimateImages({ ...byQuality, base: '300' }, { n: 2 })).toEqual({ least: 46n, most: 600n })
    expect(estimateImages({ ...byQuality, base: '300' }, { quality: 'low' })).toEqual(exactly(23n))
  })
  test('does not know what is not listed', () => {
    expect(estimateImages(byQuality, { quality: 'ultra' })).toBe('unknown')
    expect(estimateImages(undefined, {})).toBe('unknown')
    expect(estimateImages({ tables: [] }, {})).toBe('unknown')
    expect(estimateImages({ base: '-1', tables: [] }, {})).toBe('unknown')
    expect(estimateImages({ tables: [{ by: 'quality', of: {} }] }, {})).toBe('unknown')
    expect(estimateImages({ tables: [{ by: 'quality', of: { low: '-1', high: '3' } }] }, {})).toBe('unknown')
    for (const n of [0, -1, 1.5, NaN, Infinity]) expect(estimateImages(byQuality, { n })).toBe('unknown')
  })
  test('is the base where there are no tables', () =>
    expect(estimateImages({ base: '7', tables: [] }, { quality: 'any', n: 4 })).toEqual(exactly(28n)))
  test('reads nested tables, and tables whose parameter is not named', () => {
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
  test('two tables beside each other tell something only where they agree', () => {
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
  test('by duration, however the listing writes it', () => {
    expect(estimateVideo(byDuration, { duration: '5' })).toEqual(exactly(402n))
    expect(estimateVideo(byDuration, { duration: '10' })).toEqual(exactly(805n))
    expect(estimateVideo(byDuration, {})).toEqual({ least: 402n, most: 805n })
    expect(estimateVideo(byDuration, { duration: '7' })).toBe('unknown')
  })
  test('by the second, where it is listed so', () => {
    expect(estimateVideo({ perSecond: '30', tables: [] }, { duration: '8' })).toEqual(exactly(240n))
    expect(estimateVideo({ perSecond: '30', tables: [] }, {})).toBe('unknown')
    expect(estimateVideo({ perSecond: '30', base: '5', tables: [] }, { duration: '8' })).toBe('unknown')
    expect(estimateVideo({ perSecond: '30', tables: [] }, { duration: '0' })).toBe('unknown')
  })
  test('quality is the tier of a resolution', () => {
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

describe('of any listing', () => {
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

  test('an estimate is in order, never negative, and made of listed prices alone', () => {
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
  test('more images never cost less, and n of them n times one', () => {
    fc.assert(
      fc.property(price, requests, fc.integer({ min: 1, max: 10 }), (listing, request, n) => {
        const [one, many] = [estimateImages(listing, request), estimateImages(listing, { ...request, n })]
        expect(many).toEqual(
          one === 'unknown' ? 'unknown' : { least: one.least * BigInt(n), most: one.most * BigInt(n) },
        )
      }),
    )
  })
  test('to say more never widens what a request can cost beyond the listing', () => {
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
