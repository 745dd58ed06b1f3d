import type { Verdict } from './contract.ts'
import type { Measurement } from './measurement.ts'
import type { SevProduct } from './policy.ts'
import type { AttestedKeys } from './report-data.ts'
import type { ImageRecord } from './service-enclave/types.ts'
import type { Provenance } from './sigstore/index.ts'
import type { Authenticated } from './steps.ts'
import type { FreshEvidence } from './v3/index.ts'
import type { Certificate } from './x509/index.ts'

/** The facts that the hardware signed. */
export interface Hardware {
  readonly platform: string
  readonly measurement: Measurement
  /** Unix ms: the earliest end of anything that was relied on. */
  readonly notAfter: number
  /** The evidence was created for the nonce of this request. */
  readonly nonceBound: boolean
  /** Unix ms: the hardware's own time in the evidence. Only Nitro has one. */
  readonly signedAt?: number
}

/** The facts that the steps before the first failure noted. Only signed values are authenticated. */
export interface VerificationResult {
  readonly hardware?: Authenticated<Hardware>
  readonly keys?: Authenticated<AttestedKeys>
  readonly release?: Authenticated<Provenance>
  /** Document v3 of an enclave that is reached directly. */
  readonly fresh?: Authenticated<FreshEvidence>
  /** Its key is attested. Its dates and names are the service's claims. */
  readonly certificate?: Certificate
  /**
   * Only for AMD's certified chips: the product whose revocation list was checked, and when the list in force
   * expires (Unix ms).
   */
  readonly amdList?: { readonly product: SevProduct; readonly ends?: number }
  /** The signed report passed, with older firmware than genuine machines report. */
  readonly belowExpectedTcb?: boolean
  /**
   * Only for a service's own enclave: PCR0 in lowercase hex, once a step has verified that the enclave isn't
   * in debug mode.
   */
  readonly pcr0?: Authenticated<string>
  readonly record?: ImageRecord
  readonly image?: NonNullable<Verdict['image']>
  /** DER of the key that the document names. */
  readonly tlsKey?: Uint8Array
}
