import { gcm } from '@noble/ciphers/aes.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Primitives } from '../../src/ehbp/primitives.ts'

/** The primitives in audited JavaScript: an implementation that shares nothing with `native`, so that each checks the other. */
export const portable: Primitives = {
  keyPair(privateKey = x25519.utils.randomSecretKey()) {
    return {
      // By the ladder: the table behind getPublicKey takes 30 ms to build, and one start asks for two keys.
      publicKey: x25519.scalarMult(privateKey, x25519.GuBytes),
      agree: (peerPublicKey) => x25519.getSharedSecret(privateKey, peerPublicKey),
    }
  },

  hmac(key, ...parts) {
    const mac = hmac.create(sha256, key)
    for (const part of parts) mac.update(part)
    return mac.digest()
  },

  aead(key) {
    return {
      seal: (nonce, plaintext, target, offset) => target.set(gcm(key, nonce).encrypt(plaintext), offset),
      open(nonce, ciphertext) {
        try {
          return gcm(key, nonce).decrypt(ciphertext)
        } catch {
          return undefined
        }
      },
    }
  },
}
