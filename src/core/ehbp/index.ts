import { EhbpError } from './errors.ts'
import { givesKnownAnswers, isKnownSetup, knownSetup } from './known-answers.ts'
import { native } from './native.ts'
import { portable } from './portable.ts'
import { sealerOf, setupRequest, type RequestSealer } from './request-sealer.ts'
import { setUp } from './request-setup.ts'

export { EhbpError, type EhbpErrorCode } from './errors.ts'
export { ENCAPSULATED_KEY_HEADER, KEY_CONFIG_PROBLEM, RESPONSE_NONCE_HEADER } from './protocol.ts'
export { SETUP_BYTES } from './request-setup.ts'
export type { RequestSealer } from './request-sealer.ts'
export type { ResponseOpener } from './response-opener.ts'

let hold: boolean | undefined

/** Whether this machine's cryptography, and the portable one that judges it, both give the known answers. Asked once. */
export function knownAnswersHold(): boolean {
  hold ??= givesKnownAnswers(native) && givesKnownAnswers(portable)
  return hold
}

/**
 * Seals one request to a 32-byte X25519 public key, under a fresh ephemeral key of its own.
 * Throws EhbpError: ehbp/key-invalid (wrong length, low order), ehbp/crypto-unavailable.
 */
export function createRequestSealer(recipientPublicKey: Uint8Array): RequestSealer {
  if (!knownAnswersHold()) throw new EhbpError('ehbp/crypto-unavailable', 'The cryptography of this machine failed its known-answer test.')
  return setupRequest(native, recipientPublicKey)
}

/** As createRequestSealer, under a setup that was prepared for one request to one key, and is given away with this call. */
export function createPreparedSealer(setup: Uint8Array): RequestSealer {
  if (!knownAnswersHold()) throw new EhbpError('ehbp/crypto-unavailable', 'The cryptography of this machine failed its known-answer test.')
  return sealerOf(native, setup)
}

/** A setup for one request to this key, SETUP_BYTES long. Throws ehbp/key-invalid. */
export function prepareSetup(recipientPublicKey: Uint8Array): Uint8Array {
  return setUp(native, recipientPublicKey)
}

/** The setup by which whoever prepares them shows that its cryptography is sound, and whether it does. */
export const setupProof = {
  make: (): Uint8Array<ArrayBuffer> => knownSetup(native),
  holds: (setup: Uint8Array): boolean => {
    try {
      return isKnownSetup(native, setup)
    } catch {
      return false
    }
  },
}
