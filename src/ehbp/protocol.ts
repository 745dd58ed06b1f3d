export type EhbpErrorCode =
  | 'ehbp/key-invalid'
  | 'ehbp/nonce-malformed'
  | 'ehbp/frame-too-large'
  | 'ehbp/open-failed'
  | 'ehbp/truncated'
  | 'ehbp/sequence-exhausted'
  | 'ehbp/crypto-unavailable'

/** A coded failure of sealing or opening. Its message names no key, nonce or content. */
export class EhbpError extends Error {
  override name = 'EhbpError'
  readonly code: EhbpErrorCode

  constructor(code: EhbpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Wire constants of EHBP, Encrypted HTTP Body Protocol (tinfoilsh/encrypted-http-body-protocol, SPEC.md 0.3). */

/** Lowercase hex of the 32-byte encapsulated key. Present if and only if the request body is sealed. */
export const ENCAPSULATED_KEY_HEADER = 'Ehbp-Encapsulated-Key'
/** Lowercase hex of 32 random bytes. Present if and only if the response body is sealed. */
export const RESPONSE_NONCE_HEADER = 'Ehbp-Response-Nonce'
/**
 * `type` of the 422 problem that a server sends if it can't decrypt the request (SPEC 5.3). Unauthenticated.
 */
export const KEY_CONFIG_PROBLEM = 'urn:ietf:params:ehbp:error:key-config'

/** HPKE `info` and exporter context, in ASCII. */
export const REQUEST_INFO = 'ehbp request'
export const RESPONSE_EXPORT_CONTEXT = 'ehbp response'

/** A frame is LEN (u32, big-endian) and LEN bytes of ciphertext including the tag. */
export const FRAME_HEADER_BYTES = 4
/** Limit of LEN in both directions, as in the published clients. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024

/**
 * DHKEM(X25519, HKDF-SHA256): Npk, Nenc and Nsk (RFC 9180, 7.1). AES-256-GCM: Nk, Nn, Nt (7.3). HKDF-SHA256:
 * Nh (7.2).
 */
export const X25519_KEY_BYTES = 32
export const AEAD_KEY_BYTES = 32
export const AEAD_NONCE_BYTES = 12
export const AEAD_TAG_BYTES = 16
export const HASH_BYTES = 32

/**
 * ComputeNonce (RFC 9180, 5.2; the same for responses): the base nonce XOR the sequence number in the last 8 bytes.
 * Throws ehbp/sequence-exhausted before a number could repeat.
 */
export function sequenceNonce(baseNonce: Uint8Array, sequence: number): Uint8Array {
  if (!Number.isSafeInteger(sequence) || sequence < 0)
    throw new EhbpError('ehbp/sequence-exhausted', 'No more frames may be sealed or opened under this key.')
  const nonce = Buffer.from(baseNonce)
  const low = nonce.byteLength - 4
  nonce.writeUInt32BE((nonce.readUInt32BE(low) ^ sequence) >>> 0, low)
  nonce.writeUInt32BE((nonce.readUInt32BE(low - 4) ^ Math.floor(sequence / 2 ** 32)) >>> 0, low - 4)
  return nonce
}
