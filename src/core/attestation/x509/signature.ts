import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Certificate } from './certificate.ts'

/** The certified key, or undefined where the library does not take it. */
export function publicKeyOf(certificate: Certificate): KeyObject | undefined {
  const { buffer, byteOffset, byteLength } = certificate.publicKeyInfo
  try {
    return createPublicKey({ key: Buffer.from(buffer, byteOffset, byteLength), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Whether `issuerKey` signed this certificate or list, by exactly the algorithm and parameters that it states. */
export function isSignedBy(signed: Pick<Certificate, 'signatureAlgorithm' | 'tbs' | 'signature'>, issuerKey: KeyObject): boolean {
  const { signatureAlgorithm: algorithm, tbs, signature } = signed
  const type = issuerKey.asymmetricKeyType
  try {
    switch (algorithm.scheme) {
      case 'rsassa-pss':
        return type === 'rsa' && verify(algorithm.hash, tbs, {
          key: issuerKey,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: algorithm.saltLength,
        }, signature)
      case 'rsassa-pkcs1-v1_5':
        return type === 'rsa' && verify(algorithm.hash, tbs, { key: issuerKey, padding: constants.RSA_PKCS1_PADDING }, signature)
      case 'ecdsa':
        return type === 'ec' && verify(algorithm.hash, tbs, issuerKey, signature)
      case 'ed25519':
        return type === 'ed25519' && verify(null, tbs, issuerKey, signature)
    }
  } catch {
    return false
  }
}
