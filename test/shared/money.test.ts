import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalUsd, parseUsd, sumPicoUsd, tokenCost } from '../../src/shared/money.ts'

test.each([
  [0n, '0'],
  [1n, '0.000000000001'],
  [1_500_000_000n, '0.0015'],
  [1_000_000_000_000n, '1'],
  [-2_500_000_000_000n, '-2.5'],
  [123_456_789_012_345_678_901_234n, '123456789012.345678901234'],
])('%s pico-USD are exactly %s', (pico, dollars) => expect(decimalUsd(pico)).toBe(dollars))

test('the cost of tokens is rounded up once', () => {
  expect(tokenCost(1, '1')).toBe(1n)
  expect(tokenCost(1_000_000, '900000000000')).toBe(900_000_000_000n)
  expect(tokenCost(0, '900000000000')).toBe(0n)
})

test('the sum of any records is the exact decimal sum', () => {
  expect(sumPicoUsd([])).toBe('0')
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }), { nil: undefined }), {
        maxLength: 50,
      }),
      (amounts) => {
        // Read as the service writes them, with a point.
        const records = amounts.map((pico) =>
          pico === undefined ? undefined : String(parseUsd(decimalUsd(pico))),
        )
        expect(BigInt(sumPicoUsd(records))).toBe(
          amounts.reduce<bigint>((sum, pico) => sum + (pico ?? 0n), 0n),
        )
      },
    ),
  )
})
