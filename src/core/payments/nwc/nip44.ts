import { chacha20 } from '@noble/ciphers/chacha.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { timingSafeEqual } from 'node:crypto'

const VERSION = 2
const NONCE_LENGTH = 32
const MAC_LENGTH = 32
const LENGTH_PREFIX = 2
const LONGEST_TEXT = 65_535

/**
 * Derives the key that two parties share (NIP-44, "Calculate a conversation key"): 32 bytes, which the caller
 * zeroes. Throws if the public key isn't a point of the curve.
 * @param publicKey x-only, 64 hex digits
 */
export function conversationKey(secret: Uint8Array, publicKey: string): Uint8Array {
  const point = secp256k1.getSharedSecret(secret, Buffer.from(`02${publicKey}`, 'hex'))
  try {
    return extract(sha256, point.subarray(1), Buffer.from('nip44-v2'))
  } finally {
    point.fill(0)
  }
}

/**
 * Encrypts a text of 1 to 65535 bytes (NIP-44, version 2).
 * @param nonce 32 random bytes, never used again with this key
 * @returns base64
 */
export function encrypt(text: string, key: Uint8Array, nonce: Uint8Array): string {
  const bytes = Buffer.from(text)
  if (bytes.length === 0 || bytes.length > LONGEST_TEXT)
    throw new RangeError('NIP-44 encrypts 1 to 65535 bytes')
  const padded = Buffer.alloc(LENGTH_PREFIX + paddedLength(bytes.length))
  padded.writeUInt16BE(bytes.length)
  bytes.copy(padded, LENGTH_PREFIX)
  return withMessageKeys(key, nonce, ({ cipherKey, cipherNonce, macKey }) => {
    const ciphertext = chacha20(cipherKey, cipherNonce, padded)
    const mac = hmac(sha256, macKey, Buffer.concat([nonce, ciphertext]))
    return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, mac]).toString('base64')
  })
}

/**
 * Decrypts a payload (NIP-44, version 2), all of which an attacker may control. Throws if its version, MAC,
 * length or padding is wrong.
 * @param payload base64
 */
export function decrypt(payload: string, key: Uint8Array): string {
  const bytes = Buffer.from(payload, 'base64')
  if (bytes[0] !== VERSION || bytes.length < 1 + NONCE_LENGTH + LENGTH_PREFIX + paddedLength(1) + MAC_LENGTH)
    throw new Error('this isn’t a NIP-44 payload of version 2')
  const nonce = bytes.subarray(1, 1 + NONCE_LENGTH)
  const ciphertext = bytes.subarray(1 + NONCE_LENGTH, -MAC_LENGTH)
  return withMessageKeys(key, nonce, ({ cipherKey, cipherNonce, macKey }) => {
    const mac = hmac(sha256, macKey, Buffer.concat([nonce, ciphertext]))
    if (!timingSafeEqual(mac, bytes.subarray(-MAC_LENGTH))) throw new Error('the MAC of the payload is wrong')
    const padded = Buffer.from(chacha20(cipherKey, cipherNonce, ciphertext))
    const length = padded.readUInt16BE()
    if (length === 0 || padded.length !== LENGTH_PREFIX + paddedLength(length))
      throw new Error('the padding of the payload is wrong')
    return padded.toString('utf8', LENGTH_PREFIX, LENGTH_PREFIX + length)
  })
}

interface MessageKeys {
  readonly cipherKey: Uint8Array
  readonly cipherNonce: Uint8Array
  readonly macKey: Uint8Array
}

/** Calls `use` with the keys of one message, which exist only during this call. */
function withMessageKeys<T>(key: Uint8Array, nonce: Uint8Array, use: (keys: MessageKeys) => T): T {
  const bytes = expand(sha256, key, nonce, 76)
  try {
    return use({
      cipherKey: bytes.subarray(0, 32),
      cipherNonce: bytes.subarray(32, 44),
      macKey: bytes.subarray(44),
    })
  } finally {
    bytes.fill(0)
  }
}

/** NIP-44, `calc_padded_len`: few different sizes, so that a size reveals little. */
function paddedLength(length: number): number {
  if (length <= 32) return 32
  const nextPower = 1 << (32 - Math.clz32(length - 1))
  const chunk = Math.max(32, nextPower / 8)
  return Math.ceil(length / chunk) * chunk
}
