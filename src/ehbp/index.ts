import { EhbpError } from './protocol.ts'
import { givesKnownAnswers } from './known-answers.ts'
import { native } from './native.ts'
import { sealerOf, setupRequest, type RequestSealer } from './request-sealer.ts'

export {
  EhbpError,
  ENCAPSULATED_KEY_HEADER,
  KEY_CONFIG_PROBLEM,
  RESPONSE_NONCE_HEADER,
  type EhbpErrorCode,
} from './protocol.ts'
export { prepareSetup, SETUP_BYTES, setupProof } from './prepare.ts'
export type { RequestSealer } from './request-sealer.ts'
export type { ResponseOpener } from './response-opener.ts'

let hold: boolean | undefined

/** Whether this machine's cryptography gives the known answers. Computed once per process. Never throws. */
export function knownAnswersHold(): boolean {
  hold ??= givesKnownAnswers(native)
  return hold
}

/**
 * Seals one request to a 32-byte X25519 public key, under a fresh ephemeral key of its own.
 * Throws EhbpError: ehbp/key-invalid (wrong length, low order), ehbp/crypto-unavailable.
 */
export function createRequestSealer(recipientPublicKey: Uint8Array): RequestSealer {
  if (!knownAnswersHold())
    throw new EhbpError(
      'ehbp/crypto-unavailable',
      'The cryptography of this machine failed its known-answer test.',
    )
  return setupRequest(native, recipientPublicKey)
}

/**
 * Like `createRequestSealer`, with a setup of SETUP_BYTES that was prepared for a single request to a key.
 * The sealer takes ownership of the setup. Throws EhbpError ehbp/crypto-unavailable, and RangeError if the
 * length is wrong.
 */
export function createPreparedSealer(setup: Uint8Array): RequestSealer {
  if (!knownAnswersHold())
    throw new EhbpError(
      'ehbp/crypto-unavailable',
      'The cryptography of this machine failed its known-answer test.',
    )
  return sealerOf(native, setup)
}
