import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../../../../src/core/gateway/relay/json-bytes.ts'
import { parseStrictJson, type JsonObject } from '../../../../src/shared/strict-json.ts'

const LONG = 64 * 1024
const expected = (value: JsonObject): Buffer => Buffer.from(JSON.stringify(value))

describe('jsonBytes', () => {
  it('returns the bytes of JSON.stringify, for any content and length', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '"',
        '\\',
        '\n',
        '\u001f',
        '\u0020',
        '\u007f',
        '\u0080',
        '\ud800',
        '\udfff',
        '\u2028',
        'é',
        '日',
        '😀',
        '__proto__',
        'toJSON',
        '1',
      ),
    )
    // Texts around the length from which a text is written separately, with an odd character at any position.
    const long = fc
      .record({
        filling: fc.constantFrom('a', 'é', '日', '~'),
        odd: fc.option(text),
        at: fc.nat(LONG),
        beyond: fc.integer({ min: -2, max: 9 }),
      })
      .map(
        ({ filling, odd, at, beyond }) =>
          `${filling.repeat(at)}${odd ?? ''}${filling.repeat(Math.max(0, LONG + beyond - at))}`,
      )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        long,
        fc.double(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        tie('object'),
      ),
      object: fc.dictionary(text, tie('value'), { maxKeys: 5 }),
    }))
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 4 }), (source) => {
        // The body as it arrives from a caller.
        const body = parseStrictJson(JSON.stringify(source)) as JsonObject
        expect(jsonBytes(body).equals(expected(body))).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  it.each([...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)), '"', '\\', '\ud83d'])(
    'escapes %j at any position of a long string',
    (odd) => {
      for (const at of [0, 1, 2, 3, 4, LONG]) {
        const body = { image: `${'a'.repeat(at)}${odd}${'a'.repeat(LONG - at)}`, after: 'é' }
        expect(jsonBytes(body).equals(expected(body))).toBe(true)
      }
    },
  )
})
