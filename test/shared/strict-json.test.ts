import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasExactNumbers, parseStrictJson, StrictJsonError } from '../../src/shared/strict-json.ts'

function faultOf(json: string | Uint8Array): string | undefined {
  try {
    parseStrictJson(json)
    return undefined
  } catch (thrown) {
    return thrown instanceof StrictJsonError ? thrown.fault : 'other'
  }
}

describe('parseStrictJson', () => {
  it('parses the same as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        // fc.json never repeats a member.
        expect(parseStrictJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"b":{"c":1,"c":1}}'],
    ['[{"a":[{}],"b":"}","a":0}]'],
    ['{"model":"private/x","mod\\u0065l":"open/y"}'],
    ['{"\\"":1,"\\"":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    [' { "a" : [ ] , "a" : { } } '],
  ])('refuses a duplicate member: %s', (text) => {
    expect(faultOf(text)).toBe('duplicate-member')
  })

  it.each([
    ['{"a":{"a":1},"b":{"a":1}}'],
    ['{"a":"a\\"","b":"\\\\","c":"\\\\\\""}'],
    ['[{"a":1},{"a":1}]'],
    ['{"a":"{\\"a\\":1,\\"a\\":2}"}'],
    ['["a","a"]'],
  ])('accepts %s', (text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text))
  })

  it('finds a duplicate member in any position', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
        fc.jsonValue(),
        (members, extra) => {
          const [name] = Object.keys(members)
          const text = JSON.stringify(members)
          expect(faultOf(`${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(extra)}}`)).toBe(
            'duplicate-member',
          )
        },
      ),
    )
  })

  it.each([[''], ['{'], ['{"a":1,}'], ['[1,]'], ["{'a':1}"], ['{"a":1} x'], ['\ufeff{}'], ['NaN']])(
    'refuses %j as syntax',
    (text) => {
      expect(faultOf(text)).toBe('syntax')
    },
  )

  it.each([
    ['with a byte order mark', Buffer.from('\ufeff{}')],
    ['with half a character', Buffer.from('7b2261223a22c3227d', 'hex')],
    ['of UTF-16', Buffer.from('{}', 'utf16le')],
  ])('refuses bytes %s', (_, bytes) => {
    expect(faultOf(bytes)).toBe('syntax')
  })

  it('parses bytes like their text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseStrictJson(Buffer.from(text))).toEqual(parseStrictJson(Buffer.from(text).toString()))
      }),
    )
  })

  it('refuses nesting deeper than any normal body', () => {
    expect(faultOf('['.repeat(129) + ']'.repeat(129))).toBe('too-deep')
    expect(faultOf('['.repeat(128) + ']'.repeat(128))).toBeUndefined()
  })

  it('refuses text that would take forty times its size, before it builds a value', () => {
    const size = 4 * 1024 * 1024
    for (const [text, fault] of [
      ['['.repeat(size), 'too-deep'],
      ['{"a":'.repeat(size / 5), 'too-deep'],
      [`[${'[],'.repeat(size / 3)}[]]`, 'too-many'],
      [`[${'{},'.repeat(size / 3)}{}]`, 'too-many'],
      [`{${Array.from({ length: 1_000_001 }, (_, index) => `"${String(index)}":0`).join(',')}}`, 'too-many'],
    ] as const) {
      expect(faultOf(text)).toBe(fault)
    }
    const numbers = `[${'0,'.repeat(1_500_000)}0]`
    expect(parseStrictJson(numbers)).toHaveLength(1_500_001)
  })

  it('handles any text, JSON or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\\u00', 'a', '1', ' ', '\n'), {
          maxLength: 60,
        }),
        (parts) => {
          const text = parts.join('')
          const fault = faultOf(text)
          expect([undefined, 'syntax', 'duplicate-member']).toContain(fault)
          if (fault === undefined) expect(parseStrictJson(text)).toEqual(JSON.parse(text))
        },
      ),
    )
  })
})

it('finds numbers that lose precision', () => {
  for (const exact of [
    '0',
    '-0',
    '1.5',
    '9007199254740991',
    '-9007199254740991',
    '1e15',
    '5e-324',
    '1e-400',
    'null',
    '"9007199254740993"',
    '[1,{"a":[2]}]',
  ]) {
    expect(hasExactNumbers(parseStrictJson(exact)), exact).toBe(true)
  }
  for (const inexact of [
    '9007199254740992',
    '-9007199254740993',
    '1e16',
    '1e400',
    '9007199254740993.5',
    '[1,{"a":[1e400]}]',
    '{"__proto__":1e400}',
  ]) {
    expect(hasExactNumbers(parseStrictJson(inexact)), inexact).toBe(false)
  }
})
