import type { TrustSet, Verdict } from '../contract.ts'

/**
 * The service's record of its images, read and within its limits. It isn't signed: everything in it is the
 * service's claim.
 */
export interface ImageRecord {
  /** `YYYY-MM-DD` */
  readonly updated: string
  /** Of the current image, in legible form. */
  readonly version: string
  readonly commit: string
  /** PCR0 of the current image; it's in `accepted`. */
  readonly current: string
  /** PCR0 of each image that the service runs: 96 lowercase hex digits. */
  readonly accepted: readonly string[]
}

/**
 * Which images are accepted, and why. `published`: the service's record names them. `approved`: the person
 * approved them on this computer. `proven`: verified provenance names them (`verifyImageProvenance`). PCR0 is
 * 96 lowercase hex digits.
 */
export type ImageAcceptance =
  | {
      readonly rule: 'published'
      /** The record as received: untrusted. null if it couldn't be loaded. */
      readonly record: Uint8Array | null
      /** `YYYY-MM-DD`: the date of the newest record seen before. An older record is refused. */
      readonly newestSeen?: string
    }
  | { readonly rule: 'approved'; readonly images: readonly string[] }
  | {
      readonly rule: 'proven'
      readonly images: readonly { readonly pcr0: string; readonly commit: string }[]
    }

export interface ServiceEnclaveInput {
  /** The body of `GET {baseUrl}/attestation?nonce=…` as received: hostile. */
  readonly answer: Uint8Array
  /** The 32 random bytes that it was asked for with. */
  readonly nonce: Uint8Array
  readonly trust: TrustSet
  /** The host of the policy's `baseUrl`, for display. */
  readonly enclaveHost: string
  readonly images: ImageAcceptance
  /** Unix ms. */
  readonly now: number
}

export interface ServiceEnclaveAssessment {
  readonly verdict: Verdict
  /**
   * DER SubjectPublicKeyInfo of the enclave's TLS key, whose hash the document names. Absent if the answer
   * has none, or if a step before refused it.
   */
  readonly tlsKey?: Uint8Array
  /** The service's record, if its step passed: only then may its date be remembered as the newest seen. */
  readonly record?: ImageRecord
  /**
   * PCR0 in lowercase hex, if AWS's hardware signed it for this nonce, also when the image was refused: a
   * person can then approve it.
   */
  readonly pcr0?: string
}

/** The routing receipts of a response, before anything was checked. */
export interface RoutingReceiptFound {
  /** Each receipt as text, with the text of its signature if there is one. */
  readonly receipts: readonly { readonly json: string; readonly signature?: string }[]
  /** A receipt came after the first data, which isn't allowed. */
  readonly afterData: boolean
}
