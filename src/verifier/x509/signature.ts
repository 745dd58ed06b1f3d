import { constants, createPublicKey, verify, type KeyObject, type VerifyKeyObjectInput } from 'node:crypto'
import { oncePer } from '../parse-once.ts'
import type { Certificate } from './certificate.ts'

/**
 * Returns the certified key, or undefined if the library doesn't support it. Cached, because creating a key
 * costs half as much as a signature check.
 */
export const publicKeyOf = oncePer(({ publicKeyInfo }: Certificate): KeyObject | undefined =>
  publicKeyFromSpki(publicKeyInfo),
)

/** Returns the key of a DER SubjectPublicKeyInfo, or undefined if the library doesn't support it. */
export function publicKeyFromSpki({ buffer, byteOffset, byteLength }: Uint8Array): KeyObject | undefined {
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
  try {
    // As PEM, because Node takes twice as long for DER, which requires an options object.
    return createPublicKey(
      `-----BEGIN PUBLIC KEY-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END PUBLIC KEY-----\n`,
    )
  } catch {
    return undefined
  }
}

/**
 * Whether this is the key's signature over these bytes. A signature that the library can't read counts as
 * invalid.
 *
 * @param hash null for Ed25519, which hashes internally
 */
export function isSignature(
  hash: string | null,
  bytes: Uint8Array,
  key: KeyObject | VerifyKeyObjectInput,
  signature: Uint8Array,
): boolean {
  try {
    return verify(hash, bytes, key, signature)
  } catch {
    return false
  }
}

/** Whether `issuerKey` signed this certificate or list, by exactly the algorithm and parameters that it states. */
export function isSignedBy(
  signed: Pick<Certificate, 'signatureAlgorithm' | 'tbs' | 'signature'>,
  issuerKey: KeyObject,
): boolean {
  const { signatureAlgorithm: algorithm, tbs, signature } = signed
  const type = issuerKey.asymmetricKeyType
  switch (algorithm.scheme) {
    case 'rsassa-pss': {
      const { hash, saltLength } = algorithm
      const pss = { key: issuerKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }
      return type === 'rsa' && isSignature(hash, tbs, pss, signature)
    }
    case 'rsassa-pkcs1-v1_5': {
      const pkcs1 = { key: issuerKey, padding: constants.RSA_PKCS1_PADDING }
      return type === 'rsa' && isSignature(algorithm.hash, tbs, pkcs1, signature)
    }
    case 'ecdsa':
      return type === 'ec' && isSignature(algorithm.hash, tbs, issuerKey, signature)
    case 'ed25519':
      return type === 'ed25519' && isSignature(null, tbs, issuerKey, signature)
  }
}
