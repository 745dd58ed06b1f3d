import type { AttestationCode } from '../codes.ts'
import { EvidenceError, type Text } from '../text.ts'

export type SigstoreCode = Extract<AttestationCode, `sigstore/${string}`>

/**
 * Why a bundle, or a trusted root, is refused. `readTrustedRoot` and `authenticateStatement` throw it; verifySigstoreBundle,
 * verifyHardwareStatement and verifyReleaseFile return it.
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
