import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wireDollars, wirePicoUsd } from '../../../../src/core/payments/accounts/wire-dollars.ts'
import { parseUsd } from '../../../../src/shared/money.ts'

/** What the window may type: nine digits, and six after the point. */
const typed = fc
  .tuple(fc.bigInt({ min: 0n, max: 999_999_999n }), fc.option(fc.stringMatching(/^\d{1,6}$/)))
  .map(([whole, fraction]) => (fraction === null ? String(whole) : `${String(whole)}.${fraction}`))

describe('dollars on the wire', () => {
  it.each([
    ['0.1', '0.1'],
    ['0.01', '0.01'],
    ['2.50', '2.5'],
    ['0.000001', '0.000001'],
    ['0.3', '0.3'],
    ['999999999.999999', '999999999.999999'],
    ['1000000', '1000000'],
  ])('%s is written as %s', (text, json) => {
    expect(JSON.stringify(wireDollars(text, 'cap'))).toBe(json)
  })

  it('are exactly what was typed, whatever that was', () => {
    fc.assert(
      fc.property(typed, (text) => {
        expect(parseUsd(JSON.stringify(wireDollars(text, 'cap')))).toBe(parseUsd(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('are those of a key, to the pico-USD', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (pico) => {
        expect(parseUsd(JSON.stringify(wirePicoUsd(pico, 'cap')))).toBe(pico)
      }),
    )
  })

  it.each(['1234567.123456789012', '99999999999999.999999', 'ten', '', '1e400'])(
    'are refused where a number cannot carry them: %s',
    (text) => {
      expect(() => wireDollars(text, 'cap')).toThrow(
        expect.objectContaining({
          code: 'request/invalid',
          details: expect.objectContaining({ param: 'cap' }) as unknown,
        }),
      )
    },
  )
})
