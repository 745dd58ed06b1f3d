import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseUsd } from '../../src/shared/money.ts'

describe('parseUsd', () => {
  test.each<[string | number, bigint]>([
    ['4.22', 4_220_000_000_000n],
    [4.22, 4_220_000_000_000n],
    [0.1, 100_000_000_000n],
    [21.1, 21_100_000_000_000n],
    ['0', 0n],
    ['-0.000', 0n],
    [-1, -1_000_000_000_000n],
    ['1e-12', 1n],
    [1e-7, 100_000n],
    ['2.5E+3', 2_500_000_000_000_000n],
    [1e17, 10n ** 29n],
    ['0.000000000001', 1n],
    ['9007199254740993.000000000001', 9_007_199_254_740_993_000_000_000_001n],
  ])('reads %s exactly', (text, pico) => {
    expect(parseUsd(text)).toBe(pico)
  })

  test.each<[string | number, bigint]>([
    [0.1 + 0.2, 300_000_000_000n],
    ['0.08155601999999999', 81_556_020_000n],
    ['-0.08155601999999999', -81_556_020_000n],
    ['1.0000000000001', 1_000_000_000_000n],
    ['1.0000000000009', 1_000_000_000_001n],
    ['-1.0000000000009', -1_000_000_000_001n],
    ['0.0000000000005', 0n],
    ['0.00000000000050000000001', 1n],
    ['0.0000000000015', 2n],
    ['0.0000000000025', 2n],
    ['-0.0000000000015', -2n],
    ['5e-13', 0n],
    ['1e-999', 0n],
  ])('rounds %s half to even at 12 decimals', (text, pico) => {
    expect(parseUsd(text)).toBe(pico)
  })

  test.each<string | number>([
    '',
    ' 1',
    '1 ',
    '$1',
    '+1',
    '.5',
    '5.',
    '01',
    '1,5',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '1e1e1',
    '--1',
    '1n',
    NaN,
    Infinity,
    -Infinity,
    '1e18',
    '1e999',
    '-1e999',
    '1e9999999999',
    '9'.repeat(65),
  ])('does not know %s', (text) => {
    expect(parseUsd(text)).toBeNull()
  })

  test('reads back every amount that it could have been written from', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 28n }), fc.boolean(), (pico, negative) => {
        const digits = pico.toString().padStart(13, '0')
        const text = `${negative ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`
        expect(parseUsd(text)).toBe(negative ? -pico : pico)
        expect(parseUsd(`${pico}e-12`)).toBe(pico)
      }),
    )
  })

  test('is within half a pico-USD of the number', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (dollars) => {
        const pico = parseUsd(dollars)
        const [mantissa = '', exponent = '0'] = String(dollars).split('e')
        const [whole = '', fraction = ''] = mantissa.split('.')
        // The same number with 400 decimals, so that nothing is cut off.
        const shift = 400 + Number(exponent) - fraction.length
        const exact = BigInt(whole + fraction) * 10n ** BigInt(shift)
        const distance = (pico ?? -1n) * 10n ** 388n - exact
        expect(2n * (distance < 0n ? -distance : distance) <= 10n ** 388n).toBe(true)
      }),
    )
  })

  test('reads the noisy sum of doubles as the exact decimal sum', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10_000_000 }), { minLength: 1, maxLength: 20 }), (micros) => {
        const noisy = micros.reduce((sum, micro) => sum + micro / 1e6, 0)
        expect(parseUsd(noisy)).toBe(micros.reduce((sum, micro) => sum + BigInt(micro) * 1_000_000n, 0n))
      }),
    )
  })
})
