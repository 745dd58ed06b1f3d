import { constants, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { expect, it } from 'vitest'
import { isSignedBy, parseCertificate, publicKeyOf } from '../../../src/verifier/x509/index.ts'
import {
  certificate,
  distinguishedName,
  ecdsaSha256,
  ecdsaSha384,
  extension,
  pssSha384,
  type Signer,
} from '../../../src/sandbox/der/certificate.ts'
import { nul, oid, sequence } from '../../../src/sandbox/der/der.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const ed25519 = generateKeyPairSync('ed25519')
const name = distinguishedName(['CN', 'x'])

const signedBy = (signer: Signer, publicKey: KeyObject = p384.publicKey) =>
  parseCertificate(
    certificate(
      {
        serial: 1,
        issuer: name,
        subject: name,
        notBefore: 0,
        notAfter: 1000,
        publicKey,
        extensions: [extension('1.2.3', nul())],
      },
      signer,
    ),
  )
const pkcs1: Signer = {
  algorithm: sequence(oid('1.2.840.113549.1.1.11'), nul()),
  sign: (data) => sign('sha256', data, rsa.privateKey),
}
const ed: Signer = {
  algorithm: sequence(oid('1.3.101.112')),
  sign: (data) => sign(null, data, ed25519.privateKey),
}
/** Declares PSS with SHA-384 and 48 bytes of salt, but signs with other parameters. */
const lying = (padding: number, saltLength: number, hash = 'sha384'): Signer => ({
  ...pssSha384(rsa.privateKey, false),
  sign: (data) => sign(hash, data, { key: rsa.privateKey, padding, saltLength }),
})

it('verifies each scheme with the key that made it, and with no other', () => {
  const cases: [Signer, KeyObject][] = [
    [pssSha384(rsa.privateKey, true), rsa.publicKey],
    [pkcs1, rsa.publicKey],
    [ecdsaSha384(p384.privateKey), p384.publicKey],
    [ecdsaSha256(p384.privateKey), p384.publicKey],
    [ed, ed25519.publicKey],
  ]
  for (const [signer, key] of cases) {
    expect(isSignedBy(signedBy(signer), key)).toBe(true)
    for (const another of [
      rsa.publicKey,
      p384.publicKey,
      ed25519.publicKey,
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey,
    ]) {
      if (another !== key) expect(isSignedBy(signedBy(signer), another)).toBe(false)
    }
  }
})

it('holds a signature to the parameters that it states, which Node’s own certificates do not', () => {
  expect(isSignedBy(signedBy(lying(constants.RSA_PKCS1_PSS_PADDING, 48)), rsa.publicKey)).toBe(true)
  expect(isSignedBy(signedBy(lying(constants.RSA_PKCS1_PSS_PADDING, 32)), rsa.publicKey)).toBe(false)
  expect(isSignedBy(signedBy(lying(constants.RSA_PKCS1_PSS_PADDING, 48, 'sha256')), rsa.publicKey)).toBe(
    false,
  )
  expect(isSignedBy(signedBy(lying(constants.RSA_PKCS1_PADDING, 48)), rsa.publicKey)).toBe(false)
})

it('is undefined for a key that is none', () => {
  const certified = signedBy(ecdsaSha384(p384.privateKey))
  expect(publicKeyOf(certified)?.equals(p384.publicKey)).toBe(true)
  const offCurve = Buffer.from(certified.publicKeyInfo)
  offCurve.fill(7, offCurve.length - 96)
  expect(publicKeyOf({ ...certified, publicKeyInfo: offCurve })).toBeUndefined()
})
