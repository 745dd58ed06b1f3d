import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CborError, decodeCbor, type CborMap, type CborValue } from '../../../src/verifier/cbor/index.ts'
import { bytes, head, majors, map, write, type Writable } from './cbor-writer.ts'

const faultOf = (input: Uint8Array, tag?: number) => {
  try {
    decodeCbor(input, tag)
  } catch (error) {
    if (error instanceof CborError) return error.fault
    throw error
  }
  return 'none'
}
const hex = (text: string) => Buffer.from(text, 'hex')

// RFC 8949 appendix A, of what is read here.
it.each<[string, unknown]>([
  ['00', 0],
  ['17', 23],
  ['1818', 24],
  ['1864', 100],
  ['1903e8', 1000],
  ['1a000f4240', 1_000_000],
  ['1b000000e8d4a51000', 1_000_000_000_000],
  ['1b001fffffffffffff', Number.MAX_SAFE_INTEGER],
  ['20', -1],
  ['29', -10],
  ['3863', -100],
  ['3903e7', -1000],
  ['3b001ffffffffffffe', Number.MIN_SAFE_INTEGER],
  ['f6', null],
  ['40', new Uint8Array()],
  ['4401020304', Uint8Array.of(1, 2, 3, 4)],
  ['60', ''],
  ['6449455446', 'IETF'],
  ['62c3bc', 'ü'],
  ['64f0908591', '𐅑'],
  ['80', []],
  ['8301820203820405', [1, [2, 3], [4, 5]]],
  ['a0', new Map()],
  [
    'a201020304',
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  [
    'a26161016162820203',
    new Map<string, unknown>([
      ['a', 1],
      ['b', [2, 3]],
    ]),
  ],
])('reads %s', (encoded, value) => {
  expect(decodeCbor(hex(encoded))).toEqual(value)
})

it('distinguishes number and text keys of a map', () => {
  expect(
    decodeCbor(
      map([
        [1, 'number'],
        ['1', 'text'],
        [-1, 'negative'],
        ['__proto__', 'a name like any other'],
      ]),
    ),
  ).toEqual(
    new Map<number | string, string>([
      [1, 'number'],
      ['1', 'text'],
      [-1, 'negative'],
      ['__proto__', 'a name like any other'],
    ]),
  )
})

it('preserves a byte order mark as a character', () => {
  expect(decodeCbor(hex('66efbbbf616263'))).toBe('\ufeffabc')
})

it('accepts only the expected tag, around the whole item', () => {
  expect(decodeCbor(hex('d280'), 18)).toEqual([])
  expect(decodeCbor(hex('80'), 18)).toEqual([])
  expect(faultOf(hex('d280'))).toBe('tag-unexpected')
  expect(faultOf(hex('d180'), 18)).toBe('tag-unexpected')
  expect(faultOf(hex('d2d280'), 18)).toBe('tag-unexpected')
  expect(faultOf(hex('81d200'), 18)).toBe('tag-unexpected')
})

it.each<[string, string, Uint8Array]>([
  ['nothing', 'truncated', new Uint8Array()],
  ['bytes after the item', 'trailing-bytes', hex('0000')],
  ['a head without its argument', 'truncated', hex('19ff')],
  ['a string that ends early', 'truncated', hex('430102')],
  ['a list that ends early', 'truncated', hex('8201')],
  ['a map that ends early', 'truncated', hex('a101')],
  ['a count of 2^53 - 1', 'truncated', head(majors.array, 2n ** 53n - 1n)],
  ['a map of 2^52', 'truncated', head(majors.map, 2n ** 52n)],
  ['a string of 4 GiB', 'truncated', head(majors.bytes, 0xffff_ffffn)],
  ['a number of 2^53', 'integer-too-large', head(majors.unsigned, 2n ** 53n)],
  ['a number of 2^64 - 1', 'integer-too-large', head(majors.unsigned, 2n ** 64n - 1n)],
  ['a count above 2^53', 'integer-too-large', head(majors.array, 2n ** 53n + 1n)],
  ['a number of -2^53', 'integer-too-large', head(majors.negative, 2n ** 53n - 1n)],
  ['an indefinite list', 'length-indefinite', hex('9fff')],
  ['an indefinite map', 'length-indefinite', hex('bfff')],
  ['an indefinite byte string', 'length-indefinite', hex('5f4100ff')],
  ['an indefinite text', 'length-indefinite', hex('7f6161ff')],
  ['a break alone', 'length-indefinite', hex('ff')],
  ['reserved information 28', 'head-reserved', hex('1c')],
  ['reserved information 30', 'head-reserved', hex('5e')],
  ['1 in one byte too many', 'head-not-minimal', head(majors.unsigned, 1, 1)],
  ['23 in two bytes', 'head-not-minimal', head(majors.unsigned, 23, 1)],
  ['255 in three bytes', 'head-not-minimal', head(majors.unsigned, 255, 2)],
  ['65535 in five bytes', 'head-not-minimal', head(majors.unsigned, 65_535, 4)],
  ['2^32 - 1 in nine bytes', 'head-not-minimal', head(majors.unsigned, 0xffff_ffff, 8)],
  ['a length in a longer form', 'head-not-minimal', Buffer.concat([head(majors.bytes, 1, 2), hex('00')])],
  ['a negative number in a longer form', 'head-not-minimal', head(majors.negative, 0, 1)],
  ['false', 'type-unsupported', hex('f4')],
  ['true', 'type-unsupported', hex('f5')],
  ['undefined', 'type-unsupported', hex('f7')],
  ['null in a longer form', 'type-unsupported', hex('f816')],
  ['a half float', 'type-unsupported', hex('f97e00')],
  ['a double', 'type-unsupported', hex('fb3ff199999999999a')],
  [
    'a key twice',
    'key-duplicate',
    map([
      [1, 0],
      [2, 0],
      [1, 0],
    ]),
  ],
  [
    'a text key twice',
    'key-duplicate',
    map([
      ['a', 0],
      ['a', 1],
    ]),
  ],
  ['a key of bytes', 'key-unsupported', map([[bytes(Buffer.of(1)), 0]])],
  ['a key of null', 'key-unsupported', map([[null, 0]])],
  ['a list for a key', 'key-unsupported', map([[[1], 0]])],
  ['text that is not UTF-8', 'text', hex('62c328')],
  ['half of a surrogate pair', 'text', hex('63eda080')],
  ['an overlong character', 'text', hex('62c081')],
  ['nine lists deep', 'too-deep', Buffer.concat([Buffer.alloc(9, 0x81), hex('00')])],
  ['ten thousand lists deep', 'too-deep', Buffer.alloc(10_000, 0x81)],
  ['ten thousand maps deep', 'too-deep', Buffer.concat(Array.from({ length: 10_000 }, () => hex('a100')))],
  ['over 64 KiB', 'too-large', Buffer.concat([head(majors.bytes, 65_536), Buffer.alloc(65_536)])],
])('refuses %s: %s', (_, fault, input) => {
  expect(faultOf(input)).toBe(fault)
})

describe('any bytes', () => {
  const value: fc.Arbitrary<Writable> = fc.letrec<{ value: Writable; leaf: Writable }>((tie) => ({
    leaf: fc.oneof(
      fc.maxSafeInteger(),
      fc.string({ unit: 'grapheme' }),
      fc.uint8Array({ maxLength: 40 }).map(bytes),
      fc.constant(null),
    ),
    value: fc.oneof(
      { maxDepth: 5 },
      tie('leaf'),
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .uniqueArray(fc.tuple(fc.oneof(fc.maxSafeInteger(), fc.string()), tie('value')), {
          selector: ([key]) => key,
          maxLength: 5,
        })
        .map((entries) => new Map(entries)),
    ),
  })).value

  it('are parsed if they were written by the encoder, for any value', () => {
    fc.assert(
      fc.property(value, (item) => {
        expect(faultOf(write(item))).toBe('none')
        expect(faultOf(Buffer.concat([write(item), Buffer.of(0)]))).toBe('trailing-bytes')
      }),
      { numRuns: 300 },
    )
  })

  it('have one encoding per value: a parsed value is written as the same bytes', () => {
    const rewrite = (item: CborValue): Buffer => {
      if (item === null || typeof item === 'number' || typeof item === 'string') return write(item)
      if (item instanceof Uint8Array) return write(bytes(item))
      if (item instanceof Map)
        return Buffer.concat([
          head(majors.map, item.size),
          ...[...(item as CborMap)].flatMap(([key, entry]) => [write(key), rewrite(entry)]),
        ])
      const items = item as readonly CborValue[]
      return Buffer.concat([head(majors.array, items.length), ...items.map(rewrite)])
    }
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), value.map(write)), (input) => {
        if (faultOf(input) === 'none') expect(rewrite(decodeCbor(input)).equals(input)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
