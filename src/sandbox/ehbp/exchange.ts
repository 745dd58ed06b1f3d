import { createCipheriv, randomBytes, type KeyObject } from 'node:crypto'
import { hkdf, sequenceNonce, setupRecipient, type RecipientContext } from './hpke-recipient.ts'

/**
 * Why a sealed request was not opened (EHBP section 5.2): `malformed` is answered with 400; `key-config`, that it was
 * sealed to another key, with 422.
 */
export class SealedRequestError extends Error {
  readonly code: 'malformed' | 'key-config'

  constructor(code: SealedRequestError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** One answer: each piece sealed into one frame, numbered from zero. */
export interface ResponseSealer {
  /** `Ehbp-Response-Nonce`: 64 lowercase hex digits. */
  readonly nonce: string
  frame(piece: Uint8Array): Buffer
}

export interface DecryptedRequest {
  readonly body: Buffer
  sealResponse(): ResponseSealer
}

/**
 * Opens `u32 length || ciphertext` frames; empty frames are skipped and do not count.
 * @param encapsulatedKey value of `Ehbp-Encapsulated-Key`
 * @throws SealedRequestError
 */
export function decryptRequest(
  encapsulatedKey: string,
  framed: Buffer,
  keys: { publicKey: KeyObject; privateKey: KeyObject },
): DecryptedRequest {
  if (!/^[0-9a-f]{64}$/.test(encapsulatedKey))
    throw new SealedRequestError('malformed', 'the encapsulated key is not 64 lowercase hex digits')
  const encapsulated = Buffer.from(encapsulatedKey, 'hex')
  const context = contextOf(encapsulated, keys)
  const pieces: Buffer[] = []
  for (const ciphertext of frames(framed)) pieces.push(decryptFrame(context, ciphertext, pieces.length === 0))
  if (pieces.length === 0) throw new SealedRequestError('malformed', 'the sealed request has no frame')
  return { body: Buffer.concat(pieces), sealResponse: () => responseSealer(context, encapsulated) }
}

/**
 * Opens the first frame and ignores the bytes after it, as the server of the service's own enclave does.
 * @param encapsulatedKey value of `Ehbp-Encapsulated-Key`
 * @throws SealedRequestError
 */
export function decryptFirstFrame(
  encapsulatedKey: string,
  framed: Buffer,
  keys: { publicKey: KeyObject; privateKey: KeyObject },
): DecryptedRequest {
  const end = framed.length < 4 ? 0 : 4 + framed.readUInt32BE(0)
  if (end <= 4 || end > framed.length)
    throw new SealedRequestError('malformed', 'the body has no whole frame')
  return decryptRequest(encapsulatedKey, framed.subarray(0, end), keys)
}

function contextOf(
  encapsulated: Buffer,
  keys: { publicKey: KeyObject; privateKey: KeyObject },
): RecipientContext {
  try {
    return setupRecipient(encapsulated, keys, 'ehbp request')
  } catch {
    throw new SealedRequestError('malformed', 'the encapsulated key is not a usable X25519 key')
  }
}

function* frames(framed: Buffer): Generator<Buffer> {
  for (let at = 0; at < framed.length;) {
    if (framed.length - at < 4)
      throw new SealedRequestError('malformed', 'the body ends inside the length of a frame')
    const end = at + 4 + framed.readUInt32BE(at)
    if (end > framed.length) throw new SealedRequestError('malformed', 'the body ends inside a frame')
    if (end > at + 4) yield framed.subarray(at + 4, end)
    at = end
  }
}

function decryptFrame(context: RecipientContext, ciphertext: Buffer, first: boolean): Buffer {
  try {
    return context.open(ciphertext)
  } catch {
    // A first frame that does not open was sealed to another key; a later one was changed.
    throw first
      ? new SealedRequestError('key-config', 'the request was not sealed to the key of this enclave')
      : new SealedRequestError('malformed', 'a frame after the first one can’t be decrypted')
  }
}

/** EHBP section 4: keys of the response from the context's exporter, the encapsulated key and a fresh nonce. */
function responseSealer(context: RecipientContext, encapsulated: Buffer): ResponseSealer {
  const nonce = randomBytes(32)
  const salt = Buffer.concat([encapsulated, nonce])
  const secret = context.export('ehbp response', 32)
  const key = hkdf(secret, salt, 'key', 32)
  const baseNonce = hkdf(secret, salt, 'nonce', 12)
  let sequence = 0
  return {
    nonce: nonce.toString('hex'),
    frame(piece) {
      const cipher = createCipheriv('aes-256-gcm', key, sequenceNonce(baseNonce, sequence), {
        authTagLength: 16,
      })
      sequence += 1
      const ciphertext = Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
      const length = Buffer.alloc(4)
      length.writeUInt32BE(ciphertext.length)
      return Buffer.concat([length, ciphertext])
    },
  }
}
