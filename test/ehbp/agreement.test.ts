import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encap, exportSecret, keySchedule } from '../../src/ehbp/hpke.ts'
import { native } from '../../src/ehbp/native.ts'
import { portable } from './portable.ts'
import { setupRequest } from '../../src/ehbp/request-sealer.ts'
import { deriveResponseKeys } from '../../src/ehbp/response-keys.ts'
import { createResponseOpener } from '../../src/ehbp/response-opener.ts'
import { decryptAll, sealFrames } from './frames.ts'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const parts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { minLength: 1, maxLength: 4 })

describe('native and portable primitives', () => {
  it('agree on every pair, secret and frame', () => {
    fc.assert(
      fc.property(bytes32, bytes32, parts, (ephemeralKey, recipientKey, plaintexts) => {
        const [nativeResult, other] = [native, portable].map((primitives) => {
          const recipient = primitives.keyPair(recipientKey).publicKey
          const sealer = setupRequest(primitives, recipient, primitives.keyPair(ephemeralKey))
          return {
            recipient: Buffer.from(recipient),
            enc: sealer.encapsulatedKey,
            frames: Buffer.concat(plaintexts.map((part) => sealer.seal(part))),
          }
        })
        expect(nativeResult).toEqual(other)
      }),
      { numRuns: 40 },
    )
  })

  it('agree on any peer key, refusals included', () => {
    fc.assert(
      fc.property(bytes32, bytes32, (privateKey, peer) => {
        const [nativeResult, other] = [native, portable].map((primitives) => {
          const secret = encap(primitives, primitives.keyPair(privateKey), peer)
          return secret === undefined
            ? 'refused'
            : Buffer.from(
                exportSecret(primitives, keySchedule(primitives, secret), 'ehbp response'),
              ).toString('hex')
        })
        expect(nativeResult).toBe(other)
      }),
      { numRuns: 40 },
    )
  })

  it('open each other’s responses', () => {
    fc.assert(
      fc.property(bytes32, bytes32, bytes32, parts, (secret, enc, nonce, plaintexts) => {
        for (const [server, client] of [
          [native, portable],
          [portable, native],
        ] as const) {
          const sealing = deriveResponseKeys(server, secret, enc, nonce)
          const opening = deriveResponseKeys(client, secret, enc, nonce)
          const frames = sealFrames(server.aead(sealing.key), sealing.baseNonce, plaintexts)
          expect(
            decryptAll(createResponseOpener(client.aead(opening.key), opening.baseNonce), frames),
          ).toEqual({
            plaintext: Buffer.concat(plaintexts),
            code: 'complete',
          })
        }
      }),
      { numRuns: 40 },
    )
  })
})
