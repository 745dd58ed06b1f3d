import { isKnownSetup, knownSetup } from './known-answers.ts'
import { native } from './native.ts'
import { setUp } from './request-setup.ts'

export { SETUP_BYTES } from './request-setup.ts'

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
