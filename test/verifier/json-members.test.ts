import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesIn,
  bytesListIn,
  matchIn,
  MemberError,
  objectIn,
  objectsIn,
  optionalObjectIn,
  refuseMember,
  textIn,
} from '../../src/verifier/json-members.ts'
import { parseStrictJson, type JsonObject, type JsonValue } from '../../src/verifier/strict-json.ts'

const readers: Readonly<Record<string, (object: JsonObject) => unknown>> = {
  objectIn: (object) => objectIn(object, 'a'),
  optionalObjectIn: (object) => optionalObjectIn(object, 'a'),
  objectsIn: (object) => objectsIn(object, 'a', 2),
  textIn: (object) => textIn(object, 'a', 3),
  matchIn: (object) => matchIn(object, 'a', /^b+$/),
  bytesIn: (object) => bytesIn(object, 'a', 3),
  bytesListIn: (object) => bytesListIn(object, 'a', 2, 3),
  refuseMember: (object) => {
    refuseMember(object, 'a')
  },
}

describe('a member', () => {
  it.each<[reader: string, JsonValue | undefined, unknown]>([
    ['objectIn', { b: 1 }, { b: 1 }],
    ['optionalObjectIn', undefined, undefined],
    ['optionalObjectIn', null, undefined],
    ['optionalObjectIn', {}, {}],
    ['objectsIn', undefined, []],
    ['objectsIn', [{}, { b: 1 }], [{}, { b: 1 }]],
    ['textIn', '', ''],
    ['textIn', 'abc', 'abc'],
    ['matchIn', 'bb', 'bb'],
    ['bytesIn', '', Buffer.alloc(0)],
    ['bytesIn', 'AAEC', Buffer.of(0, 1, 2)],
    ['bytesListIn', undefined, []],
    ['bytesListIn', ['AA==', 'AQ=='], [Buffer.of(0), Buffer.of(1)]],
    ['refuseMember', undefined, undefined],
    ['refuseMember', null, undefined],
  ])('is accepted by %s: %j', (reader, value, expected) => {
    expect(readers[reader]?.(value === undefined ? {} : { a: value })).toEqual(expected)
  })

  it.each<[reader: string, JsonValue | undefined]>([
    ['objectIn', undefined],
    ['objectIn', null],
    ['objectIn', []],
    ['objectIn', 'text'],
    ['optionalObjectIn', []],
    ['optionalObjectIn', 1],
    ['objectsIn', null],
    ['objectsIn', {}],
    ['objectsIn', [{}, null]],
    ['objectsIn', [[]]],
    ['objectsIn', [{}, {}, {}]],
    ['textIn', undefined],
    ['textIn', null],
    ['textIn', 1],
    ['textIn', ['a']],
    ['textIn', 'abcd'],
    ['matchIn', undefined],
    ['matchIn', 'ba'],
    ['matchIn', 'bb\n'],
    ['matchIn', ['bb']],
    ['bytesIn', undefined],
    ['bytesIn', 'AAECAwQF'],
    ['bytesIn', 'AA'],
    ['bytesIn', 'AB=='],
    ['bytesIn', 'AA==\n'],
    ['bytesIn', 'A-_A'],
    ['bytesIn', [0]],
    ['bytesListIn', 'AA=='],
    ['bytesListIn', [1]],
    ['bytesListIn', ['AA==', 'AA==', 'AA==']],
    ['bytesListIn', ['AAECAwQF']],
    ['refuseMember', ''],
  ])('is refused by %s: %j', (reader, value) => {
    expect(() => readers[reader]?.(value === undefined ? {} : { a: value })).toThrow(MemberError)
  })

  it('is accepted or refused for any value, and the error never repeats the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(readers)), (json, name) => {
        const value = json as JsonValue
        try {
          readers[name]?.({ a: value })
        } catch (error) {
          expect(error).toBeInstanceOf(MemberError)
          expect(error).toHaveProperty('message', 'no a of the expected form')
        }
      }),
    )
  })

  it('is never an inherited property', () => {
    const object = parseStrictJson('{"__proto__":{"a":"text"}}') as JsonObject
    for (const name of ['a', 'constructor', 'toString'])
      expect(() => textIn(object, name, 100)).toThrow(MemberError)
  })
})
