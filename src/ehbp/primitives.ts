/**
 * All the cryptography that HPKE and EHBP use. `native` implements it with node:crypto. Tests compare it with
 * @noble.
 */
export interface Primitives {
  /** X25519 (RFC 7748). Without an argument a fresh pair; with 32 bytes the pair of that private key. */
  readonly keyPair: (privateKey?: Uint8Array) => KeyPair
  /** HMAC-SHA-256 over the parts, one after the other. */
  readonly hmac: (key: Uint8Array, ...parts: Uint8Array[]) => Uint8Array
  /** AES-256-GCM with empty AAD. */
  readonly aead: (key: Uint8Array) => Aead
}

export interface KeyPair {
  readonly publicKey: Uint8Array
  /** Computes the shared point. Returns all zeros or throws if the peer's key is of low order. */
  readonly agree: (peerPublicKey: Uint8Array) => Uint8Array
}

export interface Aead {
  /** Writes ciphertext and 16-byte tag into `target` from `offset` on. */
  readonly seal: (nonce: Uint8Array, plaintext: Uint8Array, target: Uint8Array, offset: number) => void
  /**
   * Returns the plaintext, or undefined if the tag is invalid. `ciphertext` must be at least as long as the
   * tag.
   */
  readonly open: (nonce: Uint8Array, ciphertext: Uint8Array) => Uint8Array | undefined
}
