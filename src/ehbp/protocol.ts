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
