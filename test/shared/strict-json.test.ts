import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictJson, StrictJsonError } from '../../src/shared/strict-json.ts'

function faultOf(text: string): string | undefined {
  try {
    parseStrictJson(text)
    return undefined
  } catch (thrown) {
    return thrown instanceof StrictJsonError ? thrown.fault : 'other'
  }
}

describe('parseStrictJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(fc.property(fc.json(), (text) => {
      // fc.json never repeats a member.
      expect(parseStrictJson(text)).toEqual(JSON.parse(text))
    }))
  })

  it.each([
    ['{"a":1,"a":2}'],
    ['{"a":1,"b":{"c":1,"c":1}}'],
    ['[{"a":[{}],"b":"}","a":0}]'],
    ['{"model":"private/x","mod\\u0065l":"open/y"}'],
    ['{"\\"":1,"\\"":2}'],
    ['{"__proto__":1,"__proto__":2}'],
    [' { "a" : [ ] , "a" : { } } '],
  ])('refuses a member that is named twice: %s', (text) => {
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

  it('finds a repeated member wherever it stands', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), (members, extra) => {
      const [name] = Object.keys(members)
      const text = JSON.stringify(members)
      expect(faultOf(`${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(extra)}}`)).toBe('duplicate-member')
    }))
  })

  it.each([[''], ['{'], ['{"a":1,}'], ['[1,]'], ["{'a':1}"], ['{"a":1} x'], ['\ufeff{}'], ['NaN']])('refuses %j as syntax', (text) => {
    expect(faultOf(text)).toBe('syntax')
  })

  it('refuses nesting that no honest body has', () => {
    expect(faultOf('['.repeat(129) + ']'.repeat(129))).toBe('too-deep')
    expect(faultOf('['.repeat(128) + ']'.repeat(128))).toBeUndefined()
  })
})
