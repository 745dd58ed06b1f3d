import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseExactJson } from '../../../../src/core/gateway/service/http/exact-json.ts'
import {
  count,
  decimal,
  fitting,
  flag,
  lenient,
  lenientOrNull,
  moment,
  plainDecimal,
  price,
  usd,
} from '../../../../src/core/gateway/service/http/wire.ts'
import { parseUsd } from '../../../../src/shared/money.ts'
import { parseStrictJson, type JsonValue } from '../../../../src/shared/strict-json.ts'

/** The result that parseExactJson promises for a value: every number as its text. */
function textual(value: JsonValue): JsonValue {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(textual)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, textual(member)]))
  return value
}

describe('parseExactJson', () => {
  it.each([
    ['{"a":0.1,"b":[1,-2e-7,3E+5,0]}', { a: '0.1', b: ['1', '-2e-7', '3E+5', '0'] }],
    ['123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
    ['{"a":"1","b\\"2":"x\\\\","c":"[3]"}', { a: '1', 'b"2': 'x\\', c: '[3]' }],
    [' [ 1 , true , null , "n-1" ] ', ['1', true, null, 'n-1']],
    ['{"-1":-1}', { '-1': '-1' }],
  ])('%s', (text, value) => expect(parseExactJson(text)).toEqual(value))
  it.each(['', '{1:2}', '[01]', '[1.]', '[.5]', '[+1]', '{"a":1,"a":2}', '[1,]', '1 2', 'NaN', '[-]'])(
    'refuses %s, as JSON does',
    (text) => expect(() => parseExactJson(text)).toThrow(),
  )

  it('is JSON with its numbers as text, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(parseExactJson(text)).toEqual(textual(JSON.parse(text) as JsonValue))
      }),
    )
  })
  it('accepts what strict JSON accepts, and no more', () => {
    const soup = fc
      .array(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '"a"',
          '"',
          '\\',
          '1',
          '-0',
          '0.5e3',
          '01',
          'null',
          ' ',
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''))
    const accepts = (parse: (text: string) => unknown, text: string): boolean => {
      try {
        parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(soup, (text) => {
        expect(accepts(parseExactJson, text)).toBe(accepts(parseStrictJson, text))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('money', () => {
  it('is the same from a number and from its text, to the last digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?(?:0|[1-9]\d{0,12})(?:\.\d{1,20})?(?:e-?\d)?$/), (text) => {
        const expected = parseUsd(text)
        if (expected === null) return
        expect(usd.parse(parseExactJson(text))).toBe(expected)
        expect(usd.parse(parseExactJson(`"${text}"`))).toBe(expected)
      }),
    )
  })
  it.each(['', ' 1', '1,5', '$1', 'NaN', 'Infinity', '0x10', '1e400', '9'.repeat(40), null, true, {}, []])(
    '%j is none',
    (value) => {
      expect(usd.safeParse(value).success).toBe(false)
      expect(price.safeParse(value).success).toBe(false)
    },
  )
  it('prices are not negative, balances may be', () => {
    expect(usd.parse('-1')).toBe(-1_000_000_000_000n)
    expect(price.safeParse('-1').success).toBe(false)
    expect(price.parse('0')).toBe(0n)
  })
})

describe('the pieces of answers', () => {
  it.each([
    ['1788151443', 1_788_151_443_000],
    ['1790000000000', 1_790_000_000_000],
    [1788151443, 1_788_151_443_000],
    ['1788151443.5', 1_788_151_443_500],
    ['0', 0],
    ['2026-10-02T16:49:01.399Z', Date.parse('2026-10-02T16:49:01.399Z')],
    ['2026-10-02T18:49:01+02:00', Date.parse('2026-10-02T16:49:01Z')],
    ['2026-10-02T16:49:01', Date.parse('2026-10-02T16:49:01Z')],
    ['2026-10-02', Date.UTC(2026, 9, 2)],
  ])('%s is a moment', (value, ms) => expect(moment.parse(value)).toBe(ms))
  it.each(['', 'today', '2026-13-01', '02.10.2026', '1e300', null, {}, true])('%j is none', (value) =>
    expect(moment.safeParse(value).success).toBe(false),
  )
  it.each([
    ['0', 0],
    ['12', 12],
    [7, 7],
    ['1e3', 1000],
  ])('%s is a count', (value, number) => expect(count.parse(value)).toBe(number))
  it.each(['-1', '1.5', '9007199254740993', 'x', null])('%j is none', (value) =>
    expect(count.safeParse(value).success).toBe(false),
  )
  it('flags, leniency and lists', () => {
    expect([true, false, 'true', 'false', '1', '0'].map((value) => flag.parse(value))).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
    ])
    expect(flag.safeParse('maybe').success).toBe(false)
    expect([undefined, 'x', null].map((value) => lenient(decimal).parse(value))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([undefined, 'x', null].map((value) => lenientOrNull(decimal).parse(value))).toEqual([
      undefined,
      undefined,
      null,
    ])
    expect(fitting(z.string(), 3).parse(['a', 1, 'b'])).toEqual({ entries: ['a', 'b'], unreadable: 1 })
    expect(fitting(z.string(), 3).safeParse(['a', 'b', 'c', 'd']).success).toBe(false)
  })
})

describe('plainDecimal', () => {
  it.each([
    ['1.173e-05', '0.00001173'],
    ['0', '0'],
    ['-0.50', '-0.5'],
    ['100', '100'],
    ['1e3', '1000'],
    ['1.5e3', '1500'],
    ['12.34E1', '123.4'],
    ['0.00', '0'],
    ['12e-1', '1.2'],
    ['00.5', '0.5'],
  ])('%s is %s', (value, plain) => expect(plainDecimal(value)).toBe(plain))
  it.each(['', '1e999', 'x', '1.', '0x1', '1e-200'])('%s is none', (value) =>
    expect(plainDecimal(value)).toBeUndefined(),
  )
  it('is the same number, for any', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), (number) => {
        const plain = plainDecimal(String(number))
        if (plain === undefined) return
        expect(plain).toMatch(/^-?\d+(?:\.\d+)?$/)
        expect(Number(plain) + 0).toBe(number + 0)
      }),
    )
  })
})
