import type { AttestationCode } from '../../../shared/attestation-codes.ts'
import type { ServiceEnclavePolicy } from '../../../shared/policy/service-enclave.ts'
import { say, type Said } from '../../../shared/say.ts'
import type { TrustSet } from '../../../shared/trust.ts'

export interface ImageProvenanceInput {
  /** PCR.json, as received: hostile. */
  readonly file: Uint8Array
  /** A Sigstore bundle v0.3, parsed; hostile. */
  readonly bundle: unknown
  readonly trust: TrustSet
  readonly policy: ServiceEnclavePolicy['provenance']
  /** Unix ms. */
  readonly now: number
}

export type ImageProvenanceResult =
  | { readonly good: true; readonly image: { readonly pcr0: string; readonly commit: string; /** Unix ms. */ readonly loggedAt: number } }
  | { readonly good: false; readonly failure: { readonly code: AttestationCode; readonly observed: Said } }

export function verifyImageProvenance(_input: ImageProvenanceInput): ImageProvenanceResult {
  return { good: false, failure: { code: 'sigstore/bundle-malformed', observed: say('a part that can’t be read') } }
}
