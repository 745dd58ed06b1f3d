import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUsd } from '../../src/shared/money.ts'

test.each([
  ['0', '$0.00'],
  ['1', '$0.000000000001'],
  ['12345678', '$0.0000123'],
  ['12355678', '$0.0000124'],
  ['999', '$0.000000000999'],
  ['9999', '$0.00000001'],
  ['10000000000', '$0.01'],
  ['250000000000', '$0.25'],
  ['123456000000', '$0.123'],
  ['999499999999', '$0.999'],
  ['999500000000', '$1.00'],
  ['4220000000000', '$4.22'],
  ['4225000000000', '$4.23'],
  ['1234500000000000', '$1,234.50'],
  ['1234567890000000000', '$1,234,567.89'],
  ['-500000000000', '-$0.50'],
])('%s pico-USD reads %s', (pico, text) => {
  expect(formatUsd(pico)).toBe(text)
})

test('what is not nothing never reads as nothing, and is off by less than one in its third digit', () => {
  fc.assert(fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), (pico) => {
    const [whole = '', fraction = ''] = formatUsd(pico.toString()).replaceAll(/[$,]/g, '').split('.')
    const shown = BigInt(whole + fraction.padEnd(12, '0'))
    expect(shown).toBeGreaterThan(0n)
    const off = shown > pico ? shown - pico : pico - shown
    expect(off * 200n).toBeLessThanOrEqual(pico)
  }))
})

test('what is no integer is refused', () => {
  expect(() => formatUsd('1.5')).toThrow(SyntaxError)
})
