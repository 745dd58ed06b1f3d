import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  costShape,
  decimalSats,
  formatRecordedUsd,
  formatSats,
  formatUsd,
  type UsdFormat,
} from '../../src/shared/format-money.ts'

const CENT = 10n ** 10n
const amounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 13n }),
  fc.bigInt({ min: 0n, max: 10n ** 20n }),
  fc.nat({ max: 200 }).map((cents) => BigInt(cents) * CENT),
)
const signed = fc.tuple(amounts, fc.boolean()).map(([amount, negative]) => (negative ? -amount : amount))
const formats = fc.record({
  style: fc.constantFrom('brief', 'compared', 'price', 'exact', 'recorded'),
  round: fc.constantFrom('up', 'down', 'nearest'),
} satisfies Record<string, fc.Arbitrary<string>>)
const locales = ['en', 'de', 'es', 'fr', 'ja', 'pt-BR', 'zh-Hans', 'zh-Hant', 'ko', 'he'] as const

/** Pico-USD of what is shown in English; below a cent in `brief`, something between. */
function shownPico(text: string): bigint {
  const [, beyond, minus, number = '', unit] = /^([<>]?)(−?)\$?([\d,.]+)(¢?)$/.exec(text) ?? []
  const [whole = '0', fraction = ''] = number.replaceAll(',', '').split('.')
  const pico = BigInt(whole + fraction.padEnd(12, '0')) / (unit === '¢' ? 100n : 1n)
  const size = beyond === '' ? pico : pico / 2n
  return minus === '−' ? -size : size
}

/** `fraction` may have 14 places below a cent. */
function shownExactly(text: string): bigint {
  const cents = /^(−?)(\d+)(?:\.(\d+))?¢$/.exec(text)
  if (!cents) return shownPico(text)
  const pico = BigInt((cents[2] ?? '') + (cents[3] ?? '').padEnd(10, '0'))
  return cents[1] === '−' ? -pico : pico
}

describe('an amount in dollars', () => {
  //     pico-USD               brief            compared            price               exact
  test.each([
    ['0', '$0.00', '$0.00', '$0.00', '$0.00'],
    ['1', '<$0.01', '0.0000000001¢', '0.0000000001¢', '$0.000000000001'],
    ['12345678', '<$0.01', '0.0013¢', '0.0013¢', '$0.000012345678'],
    ['800000000', '<$0.01', '0.08¢', '0.08¢', '$0.0008'],
    ['812000000', '<$0.01', '0.082¢', '0.082¢', '$0.000812'],
    ['1500000000', '<$0.01', '0.15¢', '0.15¢', '$0.0015'],
    ['9999999999', '<$0.01', '$0.01', '$0.01', '$0.009999999999'],
    ['10000000000', '$0.01', '$0.01', '$0.01', '$0.01'],
    ['12345000000', '$0.013', '$0.013', '$0.01235', '$0.012345'],
    ['75000000000', '$0.075', '$0.075', '$0.075', '$0.075'],
    ['99999999999', '$0.10', '$0.10', '$0.10', '$0.099999999999'],
    ['125000000000', '$0.13', '$0.13', '$0.125', '$0.125'],
    ['900000000000', '$0.90', '$0.90', '$0.90', '$0.90'],
    ['1375000000000', '$1.38', '$1.38', '$1.375', '$1.375'],
    ['3000000000000', '$3.00', '$3.00', '$3.00', '$3.00'],
    ['12341000000000', '$12.35', '$12.35', '$12.35', '$12.341'],
    ['1234567890000000000', '$1,234,567.89', '$1,234,567.89', '$1,234,567.89', '$1,234,567.89'],
    ['-2500000000000', '−$2.50', '−$2.50', '−$2.50', '−$2.50'],
    ['-812000000', '>−$0.01', '−0.081¢', '−0.081¢', '−$0.000812'],
  ] as const)('%s pico-USD is shown as %s, %s, %s and %s', (pico, brief, compared, price, exact) => {
    expect(
      (['brief', 'compared', 'price', 'exact'] as const).map((style) => formatUsd(pico, 'en', { style })),
    ).toEqual([brief, compared, price, exact])
  })

  test.each([
    ['de', '1.234,50\u00a0$', '0,08\u00a0¢', '<0,01\u00a0$'],
    ['fr', '1\u202f234,50\u00a0$', '0,08\u00a0¢', '<0,01\u00a0$'],
    ['ja', '$1,234.50', '0.08¢', '<$0.01'],
    ['pt-BR', '$\u00a01.234,50', '0,08¢', '<$\u00a00,01'],
  ])('in %s it is written %s, %s and %s', (locale, dollars, cents, brief) => {
    expect([
      formatUsd('1234500000000000', locale),
      formatUsd('800000000', locale),
      formatUsd('800000000', locale, { style: 'brief' }),
    ]).toEqual([dollars, cents, brief])
  })

  it('is written in every language with digits and a currency mark', () => {
    fc.assert(
      fc.property(signed, formats, fc.constantFrom(...locales), (pico, format, locale) => {
        expect(formatUsd(String(pico), locale, format)).toMatch(/\d/)
        expect(formatUsd(String(pico), locale, format)).toMatch(/[$¢]/)
      }),
    )
  })

  it('is never shown as nothing', () => {
    fc.assert(
      fc.property(
        signed.filter((pico) => pico !== 0n),
        formats,
        (pico, format) => {
          expect(formatUsd(String(pico), 'en', format)).toMatch(/[1-9]/)
        },
      ),
    )
  })

  test.each([
    ['300000000000', '$0.30'],
    ['81556020000', '$0.08155602'],
    ['12345678901234', '$12.345678901234'],
    ['812000000', '0.0812¢'],
    ['1', '0.0000000001¢'],
    ['-812000000', '−0.0812¢'],
    ['0', '$0.00'],
  ])('%s pico-USD that were charged are written as %s', (pico, text) =>
    expect(formatRecordedUsd(pico)).toBe(text),
  )

  it('is written exactly if it was charged', () => {
    fc.assert(
      fc.property(signed, (pico) => {
        expect(shownExactly(formatRecordedUsd(String(pico)))).toBe(pico)
      }),
    )
  })

  it('is never shown as less when rounded up, and never as more when rounded down', () => {
    fc.assert(
      fc.property(signed, fc.constantFrom('compared', 'price'), (pico, style) => {
        expect(shownExactly(formatUsd(String(pico), 'en', { style, round: 'up' }))).toBeGreaterThanOrEqual(
          pico,
        )
        expect(shownExactly(formatUsd(String(pico), 'en', { style, round: 'down' }))).toBeLessThanOrEqual(
          pico,
        )
      }),
    )
    fc.assert(
      fc.property(
        amounts.filter((pico) => pico >= CENT),
        (pico) => {
          expect(shownExactly(formatUsd(String(pico), 'en', { style: 'brief' }))).toBeGreaterThanOrEqual(pico)
        },
      ),
    )
  })

  it('is shown within a tenth of it', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.constantFrom('compared', 'price'),
        fc.constantFrom('up', 'down', 'nearest'),
        (pico, style, round) => {
          const off = shownExactly(formatUsd(String(pico), 'en', { style, round })) - pico
          expect((off < 0n ? -off : off) * 10n).toBeLessThanOrEqual(pico)
        },
      ),
    )
  })

  it('keeps the order of amounts within one style', () => {
    fc.assert(
      fc.property(signed, signed, formats, (one, other, format) => {
        const [lower, higher] = one < other ? [one, other] : [other, one]
        expect(shownExactly(formatUsd(String(lower), 'en', format))).toBeLessThanOrEqual(
          shownExactly(formatUsd(String(higher), 'en', format)),
        )
      }),
    )
  })

  it('is exact to the last digit', () => {
    fc.assert(
      fc.property(signed, (pico) => {
        expect(shownPico(formatUsd(String(pico), 'en', { style: 'exact' }))).toBe(pico)
      }),
    )
  })

  it('a cost beyond what is left never looks like it', () => {
    const down: UsdFormat = { round: 'down' }
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        const [left, cost] = one < other ? [one, other] : [other, one]
        fc.pre(left < cost)
        expect(shownExactly(formatUsd(String(left), 'en', down))).toBeLessThan(
          shownExactly(formatUsd(String(cost))),
        )
      }),
    )
  })

  it('refuses what is no integer', () => {
    expect(() => formatUsd('1.5')).toThrow(SyntaxError)
  })
})

describe('an estimate', () => {
  test.each([
    [
      { least: '23000000000', most: '23000000000' },
      { shape: 'one', cost: '$0.023' },
    ],
    [
      { least: '1', most: '1' },
      { shape: 'one', cost: '<$0.01' },
    ],
    [
      { least: '0', most: '0' },
      { shape: 'one', cost: '$0.00' },
    ],
    [
      { least: '1', most: '9000000000' },
      { shape: 'one', cost: '<$0.01' },
    ],
    [
      { least: '1', most: '50000000000' },
      { shape: 'bound', most: '$0.05' },
    ],
    [
      { least: '20000000000', most: '200000000000' },
      { shape: 'range', range: '$0.02 – $0.20' },
    ],
    [
      { least: '1', most: '50000000000', expected: '20000000000' },
      { shape: 'expected', cost: '$0.02', most: '$0.05' },
    ],
    [
      { least: '1', most: '50000000000', expected: '2' },
      { shape: 'expected', cost: '<$0.01', most: '$0.05' },
    ],
    [
      { least: '1', most: '200100000000', expected: '200000000000' },
      { shape: 'expected', cost: '$0.20', most: '$0.21' },
    ],
    [
      { least: '1', most: '50000000000', expected: '49900000000' },
      { shape: 'one', cost: '$0.05' },
    ],
    [
      { least: '1', most: '50000000000', expected: '60000000000' },
      { shape: 'bound', most: '$0.05' },
    ],
  ])('%o is %o', (bounds, shape) => expect(costShape(bounds)).toEqual(shape))

  it('never shows less than the most it can be', () => {
    fc.assert(
      fc.property(amounts, amounts, amounts, (one, other, expected) => {
        const [least, most] = one < other ? [one, other] : [other, one]
        fc.pre(most >= CENT)
        for (const bounds of [
          { least: String(least), most: String(most) },
          { least: String(least), most: String(most), expected: String(expected) },
        ]) {
          const shown = costShape(bounds)
          const text =
            shown.shape === 'one'
              ? shown.cost
              : shown.shape === 'range'
                ? (shown.range.split('–').at(-1)?.trim() ?? '')
                : shown.most
          expect(shownExactly(text)).toBeGreaterThanOrEqual(most)
        }
      }),
    )
  })
})

describe('satoshis', () => {
  test.each([
    ['0', '0 sats'],
    ['1', '0.001 sats'],
    ['1000', '1 sat'],
    ['1500', '1.5 sats'],
    ['20000000', '20,000 sats'],
    ['1234567891', '1,234,567.891 sats'],
  ])('%s msat is %s', (msat, text) => expect(formatSats(msat)).toBe(text))

  it('are exact', () => {
    expect(['0', '1', '53250', '1000'].map(decimalSats)).toEqual(['0', '0.001', '53.25', '1'])
    expect(formatSats('1234500', 'de')).toBe('1.234,5 sats')
  })
})
