import type { Primitives } from './primitives.ts'
import { AEAD_NONCE_BYTES } from './protocol.ts'

export interface ResponseKeys {
  readonly key: Uint8Array
  readonly baseNonce: Uint8Array
}

/** HKDF-Expand infos with the counter of the only block needed (RFC 5869, 2.3). */
const KEY_INFO = Buffer.from('key\x01', 'latin1')
const NONCE_INFO = Buffer.from('nonce\x01', 'latin1')

/**
 * Keys of the response (EHBP SPEC 4.3, in the shape of RFC 9458, 4.4).
 * All inputs are 32 bytes: the exported secret, the encapsulated key, the server's response nonce.
 */
export function deriveResponseKeys(
  { hmac }: Primitives,
  exportedSecret: Uint8Array,
  encapsulatedKey: Uint8Array,
  responseNonce: Uint8Array,
): ResponseKeys {
  const salt = Buffer.concat([encapsulatedKey, responseNonce])
  const prk = hmac(salt, exportedSecret)
  return {
    key: hmac(prk, KEY_INFO),
    baseNonce: hmac(prk, NONCE_INFO).subarray(0, AEAD_NONCE_BYTES),
  }
}
