import { encap } from './hpke.ts'
import type { Primitives } from './primitives.ts'
import { sealerOf } from './request-sealer.ts'
import { partsOf, setUp } from './request-setup.ts'
import { createResponseOpener } from './response-opener.ts'
import { deriveResponseKeys } from './response-keys.ts'

const hex = (text: string): Uint8Array => Buffer.from(text, 'hex')

/** RFC 9180, A.1.1, which has the KEM of EHBP's suite. */
export const RFC9180_A1 = {
  skEm: hex('52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736'),
  pkEm: hex('37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431'),
  skRm: hex('4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8'),
  pkRm: hex('3948cfe0ad1ddb695d780e59077195da6c56506b027329794ab02bca80815c4d'),
  sharedSecret: hex('fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc'),
}

/**
 * Two frames from the keys of A.1.1 with EHBP's suite and info, and their exported secret. No RFC publishes
 * these values (see the test).
 */
export const REQUEST = {
  plaintexts: [Buffer.from('{"model":"x"}'), Buffer.from('second')],
  frames: [
    hex('0000001defde66939cff809c201c023e232e8645901cb0ee2260818ba7f11d8283'),
    hex('000000160c788e60981d7a7823d802af8ec027de385ff9b03a8f'),
  ],
  exportedSecret: hex('2dd6d10f3ca3664b11195233f84bab26d9d369e3abfac744de2f011b0f451430'),
}

/** EHBP test-vectors/derive.json and response-decryption.json. */
export const RESPONSE = {
  exportedSecret: hex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
  encapsulatedKey: hex('202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f'),
  responseNonce: hex('404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f'),
  key: hex('40ec528847cd4e928449f2ed1a70a7d1e8ee317d5e900424fc1dd5b0475b97f7'),
  baseNonce: hex('f8b0ce9466f27aa6243c65f9'),
  plaintext: Buffer.from('hello from test vector'),
  body: hex('0000002647e74d9a561b60ff42ac7ffbb4caf6b6d5ad0bb7621e41840d2ab7de7208ff7a59d0a2a482cc'),
}

/** Whether an implementation returns every published answer, and refuses invalid input. */
export function givesKnownAnswers(primitives: Primitives): boolean {
  try {
    return (
      sealsRequest(primitives) &&
      opensResponse(primitives) &&
      refusesForgery(primitives) &&
      refusesLowOrder(primitives)
    )
  } catch {
    return false
  }
}

function sealsRequest(primitives: Primitives): boolean {
  const ephemeral = primitives.keyPair(RFC9180_A1.skEm)
  const sharedSecret = encap(primitives, ephemeral, RFC9180_A1.pkRm)
  if (
    sharedSecret === undefined ||
    !same(ephemeral.publicKey, RFC9180_A1.pkEm) ||
    !same(sharedSecret, RFC9180_A1.sharedSecret)
  )
    return false
  return isKnownSetup(primitives, knownSetup(primitives))
}

/**
 * The setup of A.1.1's keys. A worker that prepares setups must return it first, to prove that its
 * cryptography works.
 */
export function knownSetup(primitives: Primitives): Uint8Array<ArrayBuffer> {
  return setUp(primitives, RFC9180_A1.pkRm, primitives.keyPair(RFC9180_A1.skEm))
}

/** Whether `setup` is that setup: it seals to the known frames and exports the known secret. */
export function isKnownSetup(primitives: Primitives, setup: Uint8Array): boolean {
  const { encapsulatedKey, responseSecret } = partsOf(setup)
  const sealer = sealerOf(primitives, setup)
  return (
    same(encapsulatedKey, RFC9180_A1.pkEm) &&
    same(responseSecret, REQUEST.exportedSecret) &&
    REQUEST.plaintexts.every((plaintext, index) => same(sealer.seal(plaintext), REQUEST.frames[index]))
  )
}

function opensResponse(primitives: Primitives): boolean {
  const keys = deriveResponseKeys(
    primitives,
    RESPONSE.exportedSecret,
    RESPONSE.encapsulatedKey,
    RESPONSE.responseNonce,
  )
  const opener = createResponseOpener(primitives.aead(keys.key), keys.baseNonce)
  return (
    same(keys.key, RESPONSE.key) &&
    same(keys.baseNonce, RESPONSE.baseNonce) &&
    same(Buffer.concat(opener.push(RESPONSE.body)), RESPONSE.plaintext)
  )
}

function refusesForgery(primitives: Primitives): boolean {
  const forged = Buffer.from(RESPONSE.body.subarray(4))
  forged[forged.byteLength - 1] = 0
  return primitives.aead(RESPONSE.key).open(RESPONSE.baseNonce, forged) === undefined
}

function refusesLowOrder(primitives: Primitives): boolean {
  return encap(primitives, primitives.keyPair(), new Uint8Array(32)) === undefined
}

function same(actual: Uint8Array, expected: Uint8Array | undefined): boolean {
  return expected !== undefined && Buffer.compare(actual, expected) === 0
}
