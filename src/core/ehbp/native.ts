import { createCipheriv, createDecipheriv, createHmac, createPrivateKey, createPublicKey, createSecretKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { AEAD_TAG_BYTES } from './protocol.ts'
import type { Primitives } from './primitives.ts'

/** RFC 8410: what stands before the 32 bytes of an X25519 key in SubjectPublicKeyInfo and in PKCS #8. */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** Without it Node accepts tags of 4 bytes (DEP0182). */
const GCM = { authTagLength: AEAD_TAG_BYTES }

/** Cipher output is gathered in pieces that stay in the processor's cache: a frame in one piece would be written twice to memory. */
const PIECE_BYTES = 256 * 1024

/** Imported public keys: an import costs as much as an agreement, and a channel seals to the same key until it changes. */
const IMPORTED_KEYS = 8
const imported = new Map<string, KeyObject>()

/**
 * OpenSSL, or BoringSSL under Electron: nothing here is newer than what both have.
 * Keys enter as KeyObjects because raw ones cost createHmac and createCipheriv 8 µs more each.
 */
export const native: Primitives = {
  keyPair(privateKey) {
    const pair = privateKey === undefined ? generateKeyPairSync('x25519') : importPair(privateKey)
    return {
      publicKey: rawPublicKey(pair.publicKey),
      agree: (peerPublicKey) => diffieHellman({ privateKey: pair.privateKey, publicKey: importPublicKey(peerPublicKey) }),
    }
  },

  hmac(key, ...parts) {
    const mac = createHmac('sha256', createSecretKey(key))
    for (const part of parts) mac.update(part)
    return mac.digest()
  },

  aead(key) {
    const secret = createSecretKey(key)
    return {
      seal(nonce, plaintext, target, offset) {
        const cipher = createCipheriv('aes-256-gcm', secret, nonce, GCM)
        for (let at = 0; at < plaintext.byteLength; at += PIECE_BYTES) {
          target.set(cipher.update(plaintext.subarray(at, at + PIECE_BYTES)), offset + at)
        }
        cipher.final()
        target.set(cipher.getAuthTag(), offset + plaintext.byteLength)
      },
      open(nonce, ciphertext) {
        const end = ciphertext.byteLength - AEAD_TAG_BYTES
        const decipher = createDecipheriv('aes-256-gcm', secret, nonce, GCM)
        decipher.setAuthTag(ciphertext.subarray(end))
        const plaintext = decipher.update(ciphertext.subarray(0, end))
        try {
          decipher.final()
        } catch {
          return undefined
        }
        return plaintext
      },
    }
  },
}

function importPublicKey(raw: Uint8Array): KeyObject {
  const name = Buffer.from(raw).toString('hex')
  const known = imported.get(name)
  if (known !== undefined) return known
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' })
  if (imported.size >= IMPORTED_KEYS) imported.clear()
  imported.set(name, key)
  return key
}

function importPair(raw: Uint8Array): { privateKey: KeyObject; publicKey: KeyObject } {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, raw]), format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Through JWK (RFC 8037), which reads the raw bytes; the DER encoder takes 18 µs more. */
function rawPublicKey(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
}
