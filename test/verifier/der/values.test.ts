import { describe, expect, it } from 'vitest'
import {
  checkInteger,
  checkNull,
  decodeBoolean,
  decodeIa5,
  decodeNamedBits,
  decodeObjectIdentifier,
  decodeOctetBits,
  decodeSmallInteger,
  decodeString,
  decodeTime,
  DerError,
  tags,
} from '../../../src/verifier/der/index.ts'

const bytes = (hex: string) => Buffer.from(hex.replace(/ /g, ''), 'hex')
const text = (value: string) => Buffer.from(value, 'latin1')
const refuses = (read: () => unknown, fault: string) => {
  expect(read).toThrow(DerError)
  expect(read).toThrow(`not DER: ${fault}`)
}

it('takes 00 and FF for a BOOLEAN and nothing else', () => {
  expect(decodeBoolean(bytes('ff'))).toBe(true)
  expect(decodeBoolean(bytes('00'))).toBe(false)
  for (const hex of ['01', '', 'ffff']) refuses(() => decodeBoolean(bytes(hex)), 'boolean')
})

describe('INTEGER', () => {
  it('is in its shortest form', () => {
    expect(decodeSmallInteger(bytes('00'))).toBe(0)
    expect(decodeSmallInteger(bytes('7f'))).toBe(127)
    expect(decodeSmallInteger(bytes('00 80'))).toBe(128)
    expect(decodeSmallInteger(bytes('7f ff ff ff'))).toBe(2 ** 31 - 1)
    for (const hex of ['', '00 7f', '00 00', 'ff 80', 'ff ff'])
      refuses(() => checkInteger(bytes(hex)), 'integer')
  })

  it('is small and not negative where a small one is asked for', () => {
    for (const hex of ['80', 'ff', '00 ff ff ff ff', '01 00 00 00 00'])
      refuses(() => decodeSmallInteger(bytes(hex)), 'integer')
  })
})

describe('BIT STRING', () => {
  it('of bytes has no unused bits', () => {
    expect(decodeOctetBits(bytes('00 aabb'))).toEqual(bytes('aabb'))
    for (const hex of ['', '01 aa', '08 aa']) refuses(() => decodeOctetBits(bytes(hex)), 'bit-string')
  })

  it('of names counts from the highest bit', () => {
    expect([...decodeNamedBits(bytes('07 80'))]).toEqual([0])
    expect([...decodeNamedBits(bytes('01 06'))]).toEqual([5, 6])
    expect([...decodeNamedBits(bytes('07 00 80'))]).toEqual([8])
    expect([...decodeNamedBits(bytes('00'))]).toEqual([])
    // As in AMD's intermediates: bit 6 is included, and it is zero.
    expect([...decodeNamedBits(bytes('01 04'))]).toEqual([5])
    for (const hex of ['', '08 80', '01', '03 04', '07 c0'])
      refuses(() => decodeNamedBits(bytes(hex)), 'bit-string')
  })
})

it('takes nothing for NULL', () => {
  expect(() => checkNull(bytes(''))).not.toThrow()
  refuses(() => checkNull(bytes('00')), 'null')
})

it('reads OBJECT IDENTIFIER in dotted form', () => {
  expect(decodeObjectIdentifier(bytes('2a 86 48 86 f7 0d 01 01 0a'))).toBe('1.2.840.113549.1.1.10')
  expect(decodeObjectIdentifier(bytes('55 1d 11'))).toBe('2.5.29.17')
  expect(decodeObjectIdentifier(bytes('88 37 03'))).toBe('2.999.3')
  expect(decodeObjectIdentifier(bytes('27'))).toBe('0.39')
  // Empty, cut off, padded, and an arc beyond 28 bits.
  for (const hex of ['', '55 81', '55 80 01', '80 55', '55 81 80 80 80 01'])
    refuses(() => decodeObjectIdentifier(bytes(hex)), 'object-identifier')
})

it('reads three kinds of string, each of its own characters', () => {
  expect(decodeString(tags.utf8String, Buffer.from('Ärger'))).toBe('Ärger')
  expect(decodeString(tags.printableString, text('US (x)'))).toBe('US (x)')
  expect(decodeString(tags.ia5String, text('a@b'))).toBe('a@b')
  refuses(() => decodeString(tags.utf8String, bytes('c3 28')), 'string')
  refuses(() => decodeString(tags.utf8String, bytes('ed a0 80')), 'string')
  refuses(() => decodeString(tags.printableString, text('a@b')), 'string')
  refuses(() => decodeString(tags.ia5String, Buffer.from('ä')), 'string')
  refuses(() => decodeString(0x1e, text('ab')), 'string')
  refuses(() => decodeIa5(bytes('80')), 'string')
})

describe('times', () => {
  it('are to the second, in UTC', () => {
    expect(decodeTime(tags.utcTime, text('260122214438Z'))).toBe(Date.UTC(2026, 0, 22, 21, 44, 38))
    expect(decodeTime(tags.utcTime, text('491231235959Z'))).toBe(Date.UTC(2049, 11, 31, 23, 59, 59))
    expect(decodeTime(tags.utcTime, text('500101000000Z'))).toBe(Date.UTC(1950, 0, 1))
    expect(decodeTime(tags.generalizedTime, text('20500101000000Z'))).toBe(Date.UTC(2050, 0, 1))
    expect(decodeTime(tags.generalizedTime, text('20240229120000Z'))).toBe(Date.UTC(2024, 1, 29, 12))
  })

  it.each([
    ['2601222144Z'],
    ['260122214438'],
    ['260122214438+0100'],
    ['261322214438Z'],
    ['260230000000Z'],
    ['250229000000Z'],
    ['260122240000Z'],
    ['260122216000Z'],
    ['260122214460Z'],
    ['26012221443٨Z'],
    ['260122214438Z\n'],
  ])('refuses %j', (time) => {
    expect(() => decodeTime(tags.utcTime, Buffer.from(time))).toThrow(DerError)
  })

  it('knows which years leap', () => {
    for (const leap of ['20000229000000Z', '24000229000000Z', '20240229000000Z'])
      expect(decodeTime(tags.generalizedTime, text(leap))).toBeGreaterThan(0)
    for (const common of ['19000229000000Z', '21000229000000Z', '20230229000000Z', '20000230000000Z'])
      refuses(() => decodeTime(tags.generalizedTime, text(common)), 'time')
  })

  it('has four digits of a year from 100 to 9999, and two from 1950 to 2049', () => {
    expect(decodeTime(tags.generalizedTime, text('99991231235959Z'))).toBe(Date.UTC(9999, 11, 31, 23, 59, 59))
    for (const year of ['00000101000000Z', '00990101000000Z', '100000101000000Z'])
      refuses(() => decodeTime(tags.generalizedTime, text(year)), 'time')
    // Each format is valid for only one type.
    refuses(() => decodeTime(tags.generalizedTime, text('260122214438Z')), 'time')
    refuses(() => decodeTime(tags.utcTime, text('20260122214438Z')), 'time')
  })

  it.each([
    ['a month of 00', '260022000000Z'],
    ['a day of 00', '260100000000Z'],
    ['a 31st of April', '260431000000Z'],
    ['a sign', '+60122214438Z'],
    ['a space', ' 60122214438Z'],
    ['a NUL', '260122214438\0'],
    ['a small z', '260122214438z'],
    ['an offset of nothing', '260122214438+0000'],
    ['no seconds', '2601222144Z'],
    ['nothing', ''],
  ])('refuses %s', (_, time) => {
    refuses(() => decodeTime(tags.utcTime, text(time)), 'time')
  })

  it('refuses fractions, and other types', () => {
    refuses(() => decodeTime(tags.generalizedTime, text('20260122214438.5Z')), 'time')
    refuses(() => decodeTime(tags.ia5String, text('260122214438Z')), 'tag-unexpected')
  })
})
