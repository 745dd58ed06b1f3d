import type { AttestationCode } from '../../../shared/attestation-codes.ts'

export type SigstoreCode = Extract<AttestationCode, `sigstore/${string}`>

/**
 * Why a bundle, or a trusted root, is refused. Thrown inside this folder, and out of it by `readTrustedRoot` alone: what judges
 * (verifySigstoreBundle, verifyHardwareStatement, verifyReleaseFile) returns it.
 */
export class SigstoreRefusal extends Error {
  override name = 'SigstoreRefusal'
  readonly code: SigstoreCode
  readonly observed: string
  /** @param observed what was found instead, in plain words or as the value itself; untrusted text is cut short. */
  constructor(code: SigstoreCode, observed: string) {
    super(`${code}: ${observed}`)
    this.code = code
    this.observed = shorten(observed)
  }
}

const MAX_OBSERVED = 300

function shorten(text: string): string {
  return text.length <= MAX_OBSERVED ? text : `${text.slice(0, MAX_OBSERVED)}…`
}
