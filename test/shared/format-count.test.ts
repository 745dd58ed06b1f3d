import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { formatCount, formatDecimal, formatTokens } from '../../src/shared/format-count.ts'

const locales = ['en', 'de', 'es', 'fr', 'ja', 'pt-BR', 'zh-Hans', 'zh-Hant', 'ko', 'he'] as const
const counts = fc.oneof(fc.nat({ max: 3000 }), fc.nat({ max: 3_000_000 }), fc.maxSafeNat())

/** The number that an English label like “1.2M” shows. */
function shown(text: string): number {
  const [, number = '', letter = ''] = /^([\d,.]+)([KMB]?)$/.exec(text) ?? []
  return (
    Number(number.replaceAll(',', '')) *
    (letter === 'B' ? 1e9 : letter === 'M' ? 1e6 : letter === 'K' ? 1000 : 1)
  )
}

describe('a number of tokens', () => {
  test.each([
    [0, '0'],
    [940, '940'],
    [999, '999'],
    [1000, '1K'],
    [1840, '1.8K'],
    [12_400, '12.4K'],
    [99_949, '99.9K'],
    [99_950, '100K'],
    [131_072, '131K'],
    [200_000, '200K'],
    [999_499, '999K'],
    [999_500, '1M'],
    [1_048_576, '1M'],
    [1_200_000, '1.2M'],
    [2_340_000_000, '2.3B'],
  ])('%i is %s', (tokens, text) => expect(formatTokens(tokens)).toBe(text))

  it('keeps its letter in every language', () => {
    expect(locales.map((locale) => formatTokens(12_400, locale))).toEqual([
      '12.4K',
      '12,4K',
      '12,4K',
      '12,4K',
      '12.4K',
      '12,4K',
      '12.4K',
      '12.4K',
      '12.4K',
      '12.4K',
    ])
  })

  it('keeps the order of numbers, and is within a twentieth of them', () => {
    fc.assert(
      fc.property(counts, counts, (one, other) => {
        expect(shown(formatTokens(Math.min(one, other)))).toBeLessThanOrEqual(
          shown(formatTokens(Math.max(one, other))),
        )
        expect(Math.abs(shown(formatTokens(one)) - one) * 20).toBeLessThanOrEqual(one)
      }),
    )
  })
})

it('a count is exact', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(shown(formatCount(count))).toBe(count)
    }),
  )
  expect(formatCount(12_400, 'de')).toBe('12.400')
})

it('a decimal number keeps its last digit, and what is none stays as it is', () => {
  expect([
    formatDecimal('1234.50'),
    formatDecimal('1234.5', 'de'),
    formatDecimal('4', 'en', 1),
    formatDecimal('about 4'),
  ]).toEqual(['1,234.5', '1.234,5', '4.0', 'about 4'])
})
