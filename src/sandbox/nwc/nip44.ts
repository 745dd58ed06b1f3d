import { chacha20 } from '@noble/ciphers/chacha.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { timingSafeEqual } from 'node:crypto'

const version = 2
/** version, nonce, the least padded text with its length, MAC (NIP-44, decryption). */
const shortest = 1 + 32 + 2 + 32 + 32
const longest = 65_535

/** The key that two parties share (NIP-44 v2). @param publicKey x-only, hexadecimal */
export function conversationKey(secretKey: Uint8Array, publicKey: string): Uint8Array {
  const shared = secp256k1.getSharedSecret(secretKey, Buffer.from(`02${publicKey}`, 'hex')).subarray(1, 33)
  return extract(sha256, shared, Buffer.from('nip44-v2'))
}

/** @param nonce 32 bytes, used once @returns base64 */
export function encrypt(plaintext: string, key: Uint8Array, nonce: Uint8Array): string {
  const { cipherKey, cipherNonce, macKey } = messageKeys(key, nonce)
  const ciphertext = chacha20(cipherKey, cipherNonce, pad(Buffer.from(plaintext)))
  const mac = hmac(sha256, macKey, Buffer.concat([nonce, ciphertext]))
  return Buffer.concat([Buffer.of(version), nonce, ciphertext, mac]).toString('base64')
}

/** @throws Error for another version, a MAC that does not hold, or padding of another form */
export function decrypt(payload: string, key: Uint8Array): string {
  const bytes = Buffer.from(payload, 'base64')
  if (bytes.length < shortest || bytes.length > longest + shortest * 2 || bytes[0] !== version)
    throw new Error('not a NIP-44 v2 payload')
  const [nonce, ciphertext, mac] = [bytes.subarray(1, 33), bytes.subarray(33, -32), bytes.subarray(-32)]
  const { cipherKey, cipherNonce, macKey } = messageKeys(key, nonce)
  if (!timingSafeEqual(mac, hmac(sha256, macKey, Buffer.concat([nonce, ciphertext]))))
    throw new Error('the MAC does not hold')
  const padded = Buffer.from(chacha20(cipherKey, cipherNonce, ciphertext))
  const length = padded.readUInt16BE(0)
  if (length === 0 || padded.length !== 2 + paddedLength(length)) throw new Error('padding of another form')
  return padded.subarray(2, 2 + length).toString('utf8')
}

function messageKeys(key: Uint8Array, nonce: Uint8Array) {
  const keys = expand(sha256, key, nonce, 76)
  return {
    cipherKey: keys.subarray(0, 32),
    cipherNonce: keys.subarray(32, 44),
    macKey: keys.subarray(44, 76),
  }
}

function pad(text: Buffer): Buffer {
  if (text.length < 1 || text.length > longest) throw new RangeError('NIP-44 takes 1 to 65535 bytes')
  const padded = Buffer.alloc(2 + paddedLength(text.length))
  padded.writeUInt16BE(text.length, 0)
  text.copy(padded, 2)
  return padded
}

function paddedLength(length: number): number {
  if (length <= 32) return 32
  const nextPower = 2 ** (Math.floor(Math.log2(length - 1)) + 1)
  const chunk = nextPower <= 256 ? 32 : nextPower / 8
  return chunk * (Math.floor((length - 1) / chunk) + 1)
}
