import type { KeyObject } from 'node:crypto'
import { isSignature } from '../x509/index.ts'

/** A DSSE envelope with its one signature. */
export interface Envelope {
  readonly payload: Buffer
  readonly payloadType: string
  readonly signature: Buffer
}

/** The bytes that are signed: DSSE v1.0.2, "PAE definition". */
export function preAuthEncoding({ payloadType, payload }: Envelope): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `),
    payload,
  ])
}

/** Sigstore’s algorithm registry: each curve has its hash. */
const HASH_OF_CURVE: Readonly<Record<string, string>> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
}

/** @param signed the pre-authentication encoding */
export function isSignedEnvelope({ signature }: Envelope, signed: Buffer, key: KeyObject): boolean {
  const hash = HASH_OF_CURVE[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? null
  if (hash === null && key.asymmetricKeyType !== 'ed25519') return false
  return isSignature(hash, signed, key, signature)
}
