import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DerError, DerReader, enterSole, soleElement, tags } from '../../../src/verifier/der/index.ts'

const bytes = (hex: string) => Buffer.from(hex.replace(/ /g, ''), 'hex')
const faultOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (error instanceof DerError) return error.fault
    throw error
  }
  return 'none'
}

describe('lengths', () => {
  it('reads the short form, and the long form where it is needed', () => {
    expect(soleElement(bytes('04 02 aabb'), tags.octetString)).toEqual(Uint8Array.of(0xaa, 0xbb))
    expect(soleElement(Buffer.concat([bytes('04 81 80'), Buffer.alloc(128)]), tags.octetString)).toHaveLength(
      128,
    )
    expect(
      soleElement(Buffer.concat([bytes('04 82 0100'), Buffer.alloc(256)]), tags.octetString),
    ).toHaveLength(256)
  })

  it.each([
    ['indefinite', '30 80 0000', 'length-indefinite'],
    ['long where short would do', '04 81 01 aa', 'length-not-minimal'],
    ['padded with a zero', '04 82 0001 aa', 'length-not-minimal'],
    ['of more bytes than a length here can have', '04 84 7fffffff', 'truncated'],
    ['of 127 bytes', '04 ff 01', 'truncated'],
    ['cut off', '04 82 01', 'truncated'],
    ['past the end', '04 03 aabb', 'truncated'],
    ['missing', '04', 'truncated'],
  ])('refuses one that is %s', (_, hex, fault) => {
    expect(faultOf(() => new DerReader(bytes(hex)).any())).toBe(fault)
  })
})

it('refuses tags of several bytes', () => {
  expect(faultOf(() => new DerReader(bytes('1f 81 01 00')).any())).toBe('tag-unsupported')
  expect(faultOf(() => new DerReader(bytes('bf 21 00')).any())).toBe('tag-unsupported')
})

it('refuses another tag than the expected one, and no element at all', () => {
  expect(faultOf(() => new DerReader(bytes('04 00')).content(tags.integer))).toBe('tag-unexpected')
  expect(faultOf(() => new DerReader(bytes('')).content(tags.integer))).toBe('truncated')
})

it('refuses bytes after the end', () => {
  expect(faultOf(() => soleElement(bytes('04 00 00'), tags.octetString))).toBe('trailing-bytes')
  expect(faultOf(() => enterSole(bytes('30 00 0500'), tags.sequence))).toBe('trailing-bytes')
  const inner = enterSole(bytes('30 04 0500 0500'), tags.sequence)
  inner.any()
  expect(faultOf(() => inner.end())).toBe('trailing-bytes')
})

it('enters constructed elements only', () => {
  expect(faultOf(() => new DerReader(bytes('04 00')).enter(tags.octetString))).toBe('tag-unexpected')
})

it('refuses more than 64 KiB, and more than 16 levels', () => {
  expect(faultOf(() => new DerReader(new Uint8Array(65_537)))).toBe('too-large')
  let nested = Buffer.alloc(0)
  for (let level = 0; level < 20; level++) nested = Buffer.concat([Buffer.of(0x30, nested.length), nested])
  const descend = () => {
    for (let reader = new DerReader(nested); ;) reader = reader.enter(tags.sequence)
  }
  expect(faultOf(descend)).toBe('too-deep')
})

it('reads any bytes to an end or a DerError, never past them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
      const reader = new DerReader(input)
      let read = 0
      try {
        while (!reader.atEnd()) read += reader.any().bytes.length
        expect(read).toBe(input.length)
      } catch (error) {
        expect(error).toBeInstanceOf(DerError)
      }
    }),
    { numRuns: 500 },
  )
})

it('accepts one encoding of a value and no other', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      (content, lengthBytes) => {
        const encoded = Buffer.concat([Buffer.of(tags.octetString), lengthBytes, content])
        try {
          if (Buffer.compare(soleElement(encoded, tags.octetString), content) !== 0) return
        } catch {
          return
        }
        const { length } = content
        expect([...lengthBytes]).toEqual(
          length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff],
        )
      },
    ),
    {
      numRuns: 2000,
      examples: [
        [new Uint8Array(5), Uint8Array.of(0x81, 5)],
        [new Uint8Array(200), Uint8Array.of(0x82, 0, 200)],
      ],
    },
  )
})
