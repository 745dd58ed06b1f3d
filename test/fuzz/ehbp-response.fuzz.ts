import fc from 'fast-check'
import { expect, it } from 'vitest'
import { native } from '../../src/ehbp/native.ts'
import { createResponseOpener } from '../../src/ehbp/response-opener.ts'
import { BASE_NONCE, KEY, decryptAll, sealFrames } from '../ehbp/frames.ts'

const numRuns = Number(process.env['SOTTO_FUZZ_RUNS'] ?? 20_000)
const aead = native.aead(KEY)

/** One change that a network attacker can make to a stream. */
const attack = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), count: fc.nat({ max: 200 }) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), bytes: fc.uint8Array({ maxLength: 40 }) }),
  fc.record({ kind: fc.constant('repeat' as const), at: fc.nat(), count: fc.nat({ max: 200 }) }),
)
type Attack = typeof attack extends fc.Arbitrary<infer T> ? T : never

function apply(stream: Buffer, change: Attack): Buffer {
  const at = stream.byteLength === 0 ? 0 : change.at % stream.byteLength
  const [before, after] = [stream.subarray(0, at), stream.subarray(at)]
  switch (change.kind) {
    case 'flip':
      return Buffer.concat([before, after.subarray(0, 1).map((byte) => byte ^ change.bit), after.subarray(1)])
    case 'cut':
      return Buffer.concat([before, after.subarray(change.count)])
    case 'insert':
      return Buffer.concat([before, change.bytes, after])
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, change.count), after])
  }
}

function pieces(stream: Buffer, sizes: number[]): Buffer[] {
  const cut: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    cut.push(stream.subarray(at, at + size))
    at = Math.min(stream.byteLength, at + size)
  }
  return [...cut, stream.subarray(at)]
}

it('delivers only a prefix of the enclave’s response, or all of it, however the stream is changed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 120 }), { maxLength: 6 }),
      fc.array(attack, { maxLength: 4 }),
      fc.array(fc.nat({ max: 90 }), { maxLength: 20 }),
      (plaintexts, changes, sizes) => {
        const genuine = Buffer.concat(sealFrames(aead, BASE_NONCE, plaintexts))
        const stream = changes.reduce(apply, genuine)
        const whole = decryptAll(createResponseOpener(aead, BASE_NONCE), [stream])
        const cut = decryptAll(createResponseOpener(aead, BASE_NONCE), pieces(stream, sizes))
        expect(cut).toEqual(whole)
        const expected = Buffer.concat(plaintexts)
        expect(expected.subarray(0, whole.plaintext.byteLength).equals(whole.plaintext)).toBe(true)
        if (stream.equals(genuine)) expect(whole).toEqual({ plaintext: expected, code: 'complete' })
      },
    ),
    { numRuns },
  )
})

it('opens nothing of arbitrary bytes', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.array(fc.nat({ max: 60 }), { maxLength: 20 }),
      (bytes, sizes) => {
        const { plaintext } = decryptAll(
          createResponseOpener(aead, BASE_NONCE),
          pieces(Buffer.from(bytes), sizes),
        )
        expect(plaintext.byteLength).toBe(0)
      },
    ),
    { numRuns },
  )
})
