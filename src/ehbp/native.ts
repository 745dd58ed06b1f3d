import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  type KeyObject,
} from 'node:crypto'
import { AEAD_TAG_BYTES } from './protocol.ts'
import type { Primitives } from './primitives.ts'

/** RFC 8410: the prefix of the 32 bytes of an X25519 key in SubjectPublicKeyInfo and in PKCS #8. */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** Without this option Node accepts tags of 4 bytes (DEP0182). */
const GCM = { authTagLength: AEAD_TAG_BYTES }

/**
 * The cipher writes its output in pieces that fit the processor's cache, because a whole frame would be
 * written to memory twice.
 */
const PIECE_BYTES = 256 * 1024

/** The block size of SHA-256. */
const BLOCK_BYTES = 64
/** Inputs of HMAC's inner and outer hash, zeroed after each use. HPKE's inputs fit. */
const scratch = Buffer.alloc(BLOCK_BYTES + 512)
const outer = Buffer.alloc(BLOCK_BYTES + 32)

/**
 * Caches imported public keys. An import costs as much as a key agreement, and a channel uses the same key
 * until it changes.
 */
const IMPORTED_KEYS = 8
const imported = new Map<string, KeyObject>()

/**
 * Uses OpenSSL, or BoringSSL in Electron, and only functions that both have. Keys are KeyObjects because a
 * raw key costs createCipheriv 8 µs more.
 */
export const native: Primitives = {
  keyPair(privateKey) {
    const pair = privateKey === undefined ? generateKeyPairSync('x25519') : importPair(privateKey)
    return {
      publicKey: rawPublicKey(pair.publicKey),
      agree: (peerPublicKey) =>
        diffieHellman({ privateKey: pair.privateKey, publicKey: importPublicKey(peerPublicKey) }),
    }
  },

  /**
   * RFC 2104 with the one-shot hash. createHmac creates native objects for each call and takes 1.5 times as
   * long.
   */
  hmac(key, ...parts) {
    const short = key.byteLength > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key
    let length = BLOCK_BYTES
    for (const part of parts) length += part.byteLength
    const inner = length <= scratch.byteLength ? scratch.subarray(0, length) : Buffer.alloc(length)
    let at = BLOCK_BYTES
    for (const part of parts) {
      inner.set(part, at)
      at += part.byteLength
    }
    outer.set(hash('sha256', padded(inner, short, 0x36), 'buffer'), BLOCK_BYTES)
    const code = hash('sha256', padded(outer, short, 0x5c), 'buffer')
    inner.fill(0)
    outer.fill(0)
    return code
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

/** Writes K ⊕ pad (RFC 2104, 2) to the first block. */
function padded(target: Buffer, key: Uint8Array, pad: number): Buffer {
  for (let at = 0; at < BLOCK_BYTES; at++) target[at] = (key[at] ?? 0) ^ pad
  return target
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
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, raw]),
    format: 'der',
    type: 'pkcs8',
  })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Exports as JWK (RFC 8037), which contains the raw bytes. The DER encoder takes 18 µs more. */
function rawPublicKey(key: KeyObject): Uint8Array {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')
}
