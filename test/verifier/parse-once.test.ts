import { describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { oncePer, parseOnce, parseTextOnce } from '../../src/verifier/parse-once.ts'

describe('a parse cache', () => {
  it('parses other bytes again, and returns the same result for the same bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 80 }), (sequence) => {
        const read = parseOnce((bytes) => ({ hex: Buffer.from(bytes).toString('hex') }))
        for (const bytes of sequence) {
          expect(read(bytes)).toEqual({ hex: Buffer.from(bytes).toString('hex') })
          expect(read(Uint8Array.from(bytes))).toBe(read(bytes))
        }
      }),
    )
  })

  it('doesn’t change when the source bytes change', () => {
    const read = parseOnce((bytes) => bytes)
    const bytes = Uint8Array.of(1, 2, 3)
    const parsed = read(bytes)
    bytes[0] = 9
    expect(parsed).toEqual(Uint8Array.of(1, 2, 3))
    expect(read(Uint8Array.of(1, 2, 3))).toBe(parsed)
    expect(read(bytes)).toEqual(Uint8Array.of(9, 2, 3))
  })

  it('doesn’t cache a failure', () => {
    const parse = vi.fn((_: Uint8Array) => {
      throw new Error('malformed')
    })
    const read = parseOnce(parse)
    for (let turn = 0; turn < 2; turn += 1) expect(() => read(Uint8Array.of(1))).toThrow('malformed')
    expect(parse).toHaveBeenCalledTimes(2)
  })

  it('caches a limited number of the newest results, and no long input', () => {
    const parse = vi.fn((bytes: Uint8Array) => bytes.length)
    const read = parseOnce(parse)
    for (let value = 0; value < 33; value += 1) read(Uint8Array.of(value))
    read(Uint8Array.of(32))
    expect(parse).toHaveBeenCalledTimes(33)
    read(Uint8Array.of(0))
    expect(parse).toHaveBeenCalledTimes(34)
    const long = new Uint8Array(64 * 1024 + 1)
    read(long)
    read(long)
    expect(parse).toHaveBeenCalledTimes(36)
  })

  it('caches only the given number', () => {
    const parse = vi.fn((bytes: Uint8Array) => bytes.length)
    const read = parseOnce(parse, 2)
    for (const value of [1, 2, 3, 3, 2]) read(Uint8Array.of(value))
    expect(parse).toHaveBeenCalledTimes(3)
    read(Uint8Array.of(1))
    expect(parse).toHaveBeenCalledTimes(4)
  })

  it('also caches results for text', () => {
    const parse = vi.fn((text: string) => {
      if (text === 'x') throw new Error('malformed')
      return { text }
    })
    const read = parseTextOnce(parse)
    expect(read('a')).toBe(read('a'))
    expect(read('b')).toEqual({ text: 'b' })
    for (let turn = 0; turn < 2; turn += 1) expect(() => read('x')).toThrow('malformed')
    const long = 'a'.repeat(64 * 1024 + 1)
    expect(read(long)).not.toBe(read(long))
    expect(parse).toHaveBeenCalledTimes(6)
  })

  it('derives a value once per object, and again after a failure', () => {
    const read = vi.fn(({ value }: { readonly value: number }) => {
      if (value < 0) throw new Error('malformed')
      return value === 0 ? undefined : value
    })
    const readOnce = oncePer(read)
    const [nothing, something, malformed] = [{ value: 0 }, { value: 1 }, { value: -1 }]
    for (let turn = 0; turn < 2; turn += 1) {
      expect(readOnce(nothing)).toBeUndefined()
      expect(readOnce(something)).toBe(1)
      expect(() => readOnce(malformed)).toThrow('malformed')
    }
    expect(read).toHaveBeenCalledTimes(4)
    expect(readOnce({ value: 1 })).toBe(1)
    expect(read).toHaveBeenCalledTimes(5)
  })
})
