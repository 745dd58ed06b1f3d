import { createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encap, exportSecret, keySchedule } from '../../src/ehbp/hpke.ts'
import { givesKnownAnswers, REQUEST, RFC9180_A1 } from '../../src/ehbp/known-answers.ts'
import { native } from '../../src/ehbp/native.ts'
import { setupRequest } from '../../src/ehbp/request-sealer.ts'
import { codeOf, implementations } from './frames.ts'
import { decryptPublished, publishedRecipient } from './published.ts'

/** Every u-coordinate of order 1, 2, 4 or 8 on Curve25519 and its twist, canonical and not (cr.yp.to/ecdh.html#validate). */
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]
const withHighBit = (hex: string) => {
  const key = Buffer.from(hex, 'hex')
  key[31] = (key[31] ?? 0) | 0x80
  return key
}

describe.each(implementations)('HPKE over %s primitives', (_name, primitives) => {
  it('encapsulates as RFC 9180 A.1.1 does', () => {
    const ephemeral = primitives.keyPair(RFC9180_A1.skEm)
    expect(Buffer.from(ephemeral.publicKey)).toEqual(Buffer.from(RFC9180_A1.pkEm))
    expect(Buffer.from(encap(primitives, ephemeral, RFC9180_A1.pkRm) ?? [])).toEqual(
      Buffer.from(RFC9180_A1.sharedSecret),
    )
  })

  it('seals and exports what npm hpke opens and exports', async () => {
    const recipient = await publishedRecipient(RFC9180_A1.skRm, RFC9180_A1.pkRm, RFC9180_A1.pkEm)
    const sealer = setupRequest(primitives, RFC9180_A1.pkRm, primitives.keyPair(RFC9180_A1.skEm))
    const frames = Buffer.concat(REQUEST.plaintexts.map((plaintext) => sealer.seal(plaintext)))
    expect(frames).toEqual(Buffer.concat(REQUEST.frames))
    expect(await decryptPublished(recipient, frames)).toEqual(Buffer.concat(REQUEST.plaintexts))
    const exported = exportSecret(
      primitives,
      keySchedule(primitives, RFC9180_A1.sharedSecret),
      'ehbp response',
    )
    expect(Buffer.from(exported)).toEqual(Buffer.from(REQUEST.exportedSecret))
    expect(Buffer.from(await recipient.Export(Buffer.from('ehbp response'), 32))).toEqual(
      Buffer.from(exported),
    )
  })

  it.each(LOW_ORDER)('refuses the low-order key %s', (hex) => {
    for (const key of [Buffer.from(hex, 'hex'), withHighBit(hex)]) {
      expect(encap(primitives, primitives.keyPair(), key)).toBeUndefined()
      expect(codeOf(() => setupRequest(primitives, key))).toBe('ehbp/key-invalid')
    }
  })

  it.each([0, 31, 33, 64])('refuses a key of %i bytes', (length) => {
    expect(codeOf(() => setupRequest(primitives, Buffer.alloc(length, 9)))).toBe('ehbp/key-invalid')
  })

  it('refuses a shared point of zero, even from an agreement that lets it pass', () => {
    const { publicKey } = primitives.keyPair()
    expect(encap(primitives, { publicKey, agree: () => new Uint8Array(32) }, RFC9180_A1.pkRm)).toBeUndefined()
  })

  it('makes a pair of which both halves belong together, and another each time', () => {
    const [one, other] = [primitives.keyPair(), primitives.keyPair()]
    expect(Buffer.from(one.publicKey)).not.toEqual(Buffer.from(other.publicKey))
    expect(Buffer.from(one.agree(other.publicKey))).toEqual(Buffer.from(other.agree(one.publicKey)))
  })

  it('gives the known answers', () => {
    expect(givesKnownAnswers(primitives)).toBe(true)
  })
})

describe('native keys', () => {
  it('keep agreeing after more peers than are remembered', () => {
    const pair = native.keyPair()
    const spki = Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), pair.publicKey])
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    for (let round = 0; round < 30; round += 1) {
      const peer = generateKeyPairSync('x25519')
      const raw = peer.publicKey.export({ format: 'der', type: 'spki' }).subarray(12)
      const expected = diffieHellman({ privateKey: peer.privateKey, publicKey })
      expect(Buffer.from(pair.agree(raw))).toEqual(expected)
      expect(Buffer.from(pair.agree(raw))).toEqual(expected)
    }
  })
})
