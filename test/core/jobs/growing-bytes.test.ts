import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingBytes } from '../../../src/core/jobs/growing-bytes.ts'

test('are those that came, however they came, from whatever byte they are read, and stay so for who has read them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(9), fc.integer({ min: 3000, max: 9000 })), { maxLength: 20 }),
      fc.nat(20_000),
      (sizes, from) => {
        const growing = new GrowingBytes()
        const pieces = sizes.map((size, at) => Buffer.alloc(size, at + 1))
        const seen: { readonly read: Uint8Array; readonly bytes: number }[] = []
        for (const piece of pieces) {
          growing.add(piece)
          seen.push({ read: growing.from(0), bytes: growing.bytes })
        }
        const whole = Buffer.concat(pieces)
        expect(growing.bytes).toBe(whole.length)
        expect(whole.subarray(from).equals(growing.from(Math.min(from, growing.bytes)))).toBe(true)
        for (const { read, bytes } of seen) expect(whole.subarray(0, bytes).equals(read)).toBe(true)
      },
    ),
  )
})
