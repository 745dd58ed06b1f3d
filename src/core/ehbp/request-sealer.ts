import { EhbpError } from './errors.ts'
import { encap, exportSecret, keySchedule } from './hpke.ts'
import type { KeyPair, Primitives } from './primitives.ts'
import { AEAD_TAG_BYTES, FRAME_HEADER_BYTES, MAX_FRAME_BYTES, RESPONSE_EXPORT_CONTEXT } from './protocol.ts'
import { deriveResponseKeys } from './response-keys.ts'
import { createResponseOpener, type ResponseOpener } from './response-opener.ts'
import { sequenceNonce } from './sequence.ts'

export interface RequestSealer {
  /** For the header Ehbp-Encapsulated-Key: 64 lowercase hex digits. */
  readonly encapsulatedKey: string
  /**
   * One framed ciphertext of the next part of the body; an empty part gives an empty result, for no frame may stand for it.
   * Throws EhbpError: ehbp/frame-too-large above 64 MiB less 16 bytes, ehbp/sequence-exhausted.
   */
  readonly seal: (chunk: Uint8Array) => Uint8Array
  /** Opens the answer to this request, given its Ehbp-Response-Nonce. Throws ehbp/nonce-malformed. */
  readonly openResponse: (responseNonce: string) => ResponseOpener
}

const RESPONSE_NONCE = /^[0-9a-f]{64}$/

/**
 * SetupBaseS (RFC 9180, 5.1.1) to a 32-byte X25519 key, and the frames of EHBP under it.
 * Throws ehbp/key-invalid for a key of another length or of low order.
 */
export function setupRequest(primitives: Primitives, recipientPublicKey: Uint8Array, ephemeral: KeyPair = primitives.keyPair()): RequestSealer {
  const sharedSecret = encap(primitives, ephemeral, recipientPublicKey)
  if (sharedSecret === undefined) throw new EhbpError('ehbp/key-invalid', 'The recipient’s key is not a usable X25519 public key.')
  const context = keySchedule(primitives, sharedSecret)
  const aead = primitives.aead(context.key)
  let sequence = 0

  return {
    encapsulatedKey: Buffer.from(ephemeral.publicKey).toString('hex'),

    seal(chunk) {
      if (chunk.byteLength === 0) return new Uint8Array()
      const length = chunk.byteLength + AEAD_TAG_BYTES
      if (length > MAX_FRAME_BYTES) throw new EhbpError('ehbp/frame-too-large', 'A frame of the request would be longer than 64 MiB.')
      const nonce = sequenceNonce(context.baseNonce, sequence)
      sequence += 1
      // A buffer of its own and not of Node's pool: callers may transfer it.
      const frame = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES + length)
      frame.writeUInt32BE(length)
      aead.seal(nonce, chunk, frame, FRAME_HEADER_BYTES)
      return frame
    },

    openResponse(responseNonce) {
      if (!RESPONSE_NONCE.test(responseNonce)) throw new EhbpError('ehbp/nonce-malformed', 'The response nonce is not 64 lowercase hex digits.')
      const exported = exportSecret(primitives, context, RESPONSE_EXPORT_CONTEXT)
      const keys = deriveResponseKeys(primitives, exported, ephemeral.publicKey, Buffer.from(responseNonce, 'hex'))
      return createResponseOpener(primitives.aead(keys.key), keys.baseNonce)
    },
  }
}
