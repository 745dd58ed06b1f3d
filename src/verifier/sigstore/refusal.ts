import type { AttestationCode } from '../codes.ts'
import { msg } from '../message.ts'
import { EvidenceError, type Text } from '../text.ts'

export type SigstoreCode = Extract<AttestationCode, `sigstore/${string}`>

/**
 * Why a bundle, or a trusted root, is refused. `readTrustedRoot` and `authenticateStatement` throw it. In a list of
 * steps it fails the step of its code.
 */
export class SigstoreRefusal extends EvidenceError {
  override name = 'SigstoreRefusal'
  readonly code: SigstoreCode
  /** @param observed what the evidence has instead */
  constructor(code: SigstoreCode, observed: Text) {
    super(observed)
    this.code = code
  }
}

/** An input that can't be read is refused as a malformed bundle, also if no reader foresaw it. */
export function attempt<T extends object>(verify: () => T): T | { readonly refusal: SigstoreRefusal } {
  try {
    return verify()
  } catch (error) {
    const refusal =
      error instanceof SigstoreRefusal
        ? error
        : new SigstoreRefusal('sigstore/bundle-malformed', msg('a part that can’t be read'))
    return { refusal }
  }
}
