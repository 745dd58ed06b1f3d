import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { rawX25519 } from '../world/enclave.ts'

/** RFC 9180 section 7: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, base mode. */
const kemId = 0x0020
const kdfId = 0x0001
const aeadId = 0x0002
const tagBytes = 16

const noBytes = Buffer.alloc(0)
const kemSuite = Buffer.from([0x4b, 0x45, 0x4d, 0, kemId]) // "KEM" || kem_id
const hpkeSuite = Buffer.from([0x48, 0x50, 0x4b, 0x45, 0, kemId, 0, kdfId, 0, aeadId]) // "HPKE" || kem_id || kdf_id || aead_id
const version = Buffer.from('HPKE-v1')

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  return createHmac('sha256', key).update(Buffer.concat(parts)).digest()
}

/** RFC 9180 section 4. */
function labeledExtract(suite: Buffer, salt: Uint8Array, label: string, keyMaterial: Uint8Array): Buffer {
  return hmac(salt, version, suite, Buffer.from(label), keyMaterial)
}

/** RFC 9180 section 4, for at most one block of SHA-256: T(1) = HMAC(prk, info || 0x01). @param length at most 32 */
function labeledExpand(
  suite: Buffer,
  prk: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Buffer {
  return hmac(prk, Buffer.of(0, length), version, suite, Buffer.from(label), info, Buffer.of(1)).subarray(
    0,
    length,
  )
}

/** RFC 8410: the algorithm identifier of X25519 before a raw key makes its SPKI. */
const x25519SpkiPrefix = Buffer.from('302a300506032b656e032100', 'hex')

function importX25519(raw: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([x25519SpkiPrefix, raw]), format: 'der', type: 'spki' })
}

export interface RecipientContext {
  /** Opens the next message, with empty associated data. @throws if it wasn't sealed to this context */
  open(ciphertext: Uint8Array): Buffer
  export(context: string, length: number): Buffer
}

/**
 * SetupBaseR (RFC 9180 section 5.1.1).
 * @param encapsulated 32 bytes
 * @throws if the encapsulated key is of low order: the shared secret would be zero
 */
export function setupRecipient(
  encapsulated: Uint8Array,
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  info: string,
): RecipientContext {
  const agreement = diffieHellman({ privateKey: keys.privateKey, publicKey: importX25519(encapsulated) })
  const kemContext = Buffer.concat([encapsulated, rawX25519(keys.publicKey)])
  const sharedSecret = labeledExpand(
    kemSuite,
    labeledExtract(kemSuite, noBytes, 'eae_prk', agreement),
    'shared_secret',
    kemContext,
    32,
  )

  const scheduleContext = Buffer.concat([
    Buffer.of(0), // mode_base
    labeledExtract(hpkeSuite, noBytes, 'psk_id_hash', noBytes),
    labeledExtract(hpkeSuite, noBytes, 'info_hash', Buffer.from(info)),
  ])
  const secret = labeledExtract(hpkeSuite, sharedSecret, 'secret', noBytes)
  const key = labeledExpand(hpkeSuite, secret, 'key', scheduleContext, 32)
  const baseNonce = labeledExpand(hpkeSuite, secret, 'base_nonce', scheduleContext, 12)
  const exporterSecret = labeledExpand(hpkeSuite, secret, 'exp', scheduleContext, 32)

  let sequence = 0
  return {
    open(ciphertext) {
      const split = ciphertext.length - tagBytes
      if (split < 0) throw new Error('shorter than an authentication tag')
      const decipher = createDecipheriv('aes-256-gcm', key, sequenceNonce(baseNonce, sequence), {
        authTagLength: tagBytes,
      })
      decipher.setAuthTag(ciphertext.subarray(split))
      const plaintext = Buffer.concat([decipher.update(ciphertext.subarray(0, split)), decipher.final()])
      sequence += 1
      return plaintext
    },
    export: (context, length) =>
      labeledExpand(hpkeSuite, exporterSecret, 'sec', Buffer.from(context), length),
  }
}

/** base_nonce XOR the sequence number, big-endian (RFC 9180 section 5.2). @param sequence below 2^32 */
export function sequenceNonce(base: Uint8Array, sequence: number): Buffer {
  const nonce = Buffer.from(base)
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8)
  return nonce
}

/** HKDF-SHA256 as RFC 5869 has it: extract and expand. */
export function hkdf(keyMaterial: Uint8Array, salt: Uint8Array, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', keyMaterial, salt, info, length))
}

export const keyConfigType = 'application/ohttp-keys'

/** `key_id u8 || kem u16 || public key 32 || length of suites u16 || kdf u16 || aead u16`: 41 bytes, without RFC 9458's outer length. */
export function keyConfig(publicKey: KeyObject): Buffer {
  return Buffer.concat([Buffer.of(0, 0, kemId), rawX25519(publicKey), Buffer.of(0, 4, 0, kdfId, 0, aeadId)])
}
