import { EhbpError, AEAD_TAG_BYTES, FRAME_HEADER_BYTES, MAX_FRAME_BYTES, sequenceNonce } from './protocol.ts'
import type { KeyPair, Primitives } from './primitives.ts'
import { partsOf, setUp } from './request-setup.ts'
import { deriveResponseKeys } from './response-keys.ts'
import { createResponseOpener, type ResponseOpener } from './response-opener.ts'

export interface RequestSealer {
  /** The value of the header Ehbp-Encapsulated-Key: 64 lowercase hex digits. */
  readonly encapsulatedKey: string
  /**
   * Seals the next part of the body as a frame. An empty part gives an empty result, because EHBP has no
   * frame for it. Throws EhbpError: ehbp/frame-too-large above 64 MiB less 16 bytes; ehbp/sequence-exhausted,
   * also after the response is opened or the request is discarded.
   */
  readonly seal: (chunk: Uint8Array) => Uint8Array
  /**
   * Opens the only response to this request, given its Ehbp-Response-Nonce, and discards the request. Throws
   * ehbp/nonce-malformed, or ehbp/open-failed on a second call.
   */
  readonly decryptResponse: (responseNonce: string) => ResponseOpener
  /** Zeroes the secrets of a request that will have no response. */
  readonly forget: () => void
}

const RESPONSE_NONCE = /^[0-9a-f]{64}$/

/**
 * Seals a request to a 32-byte X25519 key. Throws ehbp/key-invalid if the key has another length or is of low
 * order.
 */
export function setupRequest(
  primitives: Primitives,
  recipientPublicKey: Uint8Array,
  ephemeral?: KeyPair,
): RequestSealer {
  return sealerOf(primitives, setUp(primitives, recipientPublicKey, ephemeral))
}

/**
 * Creates the sealer for a setup, and takes ownership of it. A setup serves only one request and is zeroed
 * afterwards. Throws RangeError if its length is wrong.
 */
export function sealerOf(primitives: Primitives, setup: Uint8Array): RequestSealer {
  const { encapsulatedKey, key, baseNonce, responseSecret } = partsOf(setup)
  const aead = primitives.aead(key)
  let sequence = 0
  let over = false

  function forget(): void {
    over = true
    setup.fill(0)
  }

  return {
    encapsulatedKey: Buffer.from(encapsulatedKey).toString('hex'),

    seal(chunk) {
      if (chunk.byteLength === 0) return new Uint8Array()
      const length = chunk.byteLength + AEAD_TAG_BYTES
      if (length > MAX_FRAME_BYTES)
        throw new EhbpError('ehbp/frame-too-large', 'A frame of the request would be longer than 64 MiB.')
      if (over) throw new EhbpError('ehbp/sequence-exhausted', 'Nothing more may be sealed for this request.')
      const nonce = sequenceNonce(baseNonce, sequence)
      sequence += 1
      // A separate buffer outside Node's pool, because callers may transfer it.
      const frame = Buffer.allocUnsafeSlow(FRAME_HEADER_BYTES + length)
      frame.writeUInt32BE(length)
      aead.seal(nonce, chunk, frame, FRAME_HEADER_BYTES)
      return frame
    },

    decryptResponse(responseNonce) {
      if (!RESPONSE_NONCE.test(responseNonce))
        throw new EhbpError('ehbp/nonce-malformed', 'The response nonce is not 64 lowercase hex digits.')
      if (over) throw new EhbpError('ehbp/open-failed', 'The response to this request was opened before.')
      const keys = deriveResponseKeys(
        primitives,
        responseSecret,
        encapsulatedKey,
        Buffer.from(responseNonce, 'hex'),
      )
      forget()
      return createResponseOpener(primitives.aead(keys.key), keys.baseNonce)
    },

    forget,
  }
}
