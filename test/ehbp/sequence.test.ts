import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sequenceNonce } from '../../src/ehbp/protocol.ts'
import { codeOf } from './frames.ts'

const bytes12 = fc.uint8Array({ minLength: 12, maxLength: 12 })

describe('sequence nonce', () => {
  it('is the base nonce XOR I2OSP(sequence, 12)', () => {
    fc.assert(
      fc.property(bytes12, fc.maxSafeNat(), (base, sequence) => {
        const expected = BigInt(`0x${Buffer.from(base).toString('hex')}`) ^ BigInt(sequence)
        expect(Buffer.from(sequenceNonce(base, sequence)).toString('hex')).toBe(
          expected.toString(16).padStart(24, '0'),
        )
      }),
    )
  })

  it('leaves the base nonce as it was', () => {
    const base = Buffer.alloc(12, 0xaa)
    sequenceNonce(base, 0xffff_ffff_ff)
    expect(base).toEqual(Buffer.alloc(12, 0xaa))
  })

  it.each([Number.MAX_SAFE_INTEGER + 1, 2 ** 64, -1, 0.5, NaN])('refuses %d', (sequence) => {
    expect(codeOf(() => sequenceNonce(Buffer.alloc(12), sequence))).toBe('ehbp/sequence-exhausted')
  })
})
