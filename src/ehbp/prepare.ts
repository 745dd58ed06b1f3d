import { isKnownSetup, knownSetup } from './known-answers.ts'
import { native } from './native.ts'
import { setUp } from './request-setup.ts'

export { SETUP_BYTES } from './request-setup.ts'

/** Creates the setup of a single request to this key, SETUP_BYTES long. Throws ehbp/key-invalid. */
export function prepareSetup(recipientPublicKey: Uint8Array): Uint8Array {
  return setUp(native, recipientPublicKey)
}

/** Creates and checks the setup by which a worker that prepares setups proves that its cryptography works. */
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
