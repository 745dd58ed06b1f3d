import type { CodePolicy } from '../policy.ts'
import type { JsonValue } from '../strict-json.ts'

export interface SigstoreInput {
  /** A Sigstore bundle v0.3, already parsed by `parseStrictJson`; otherwise unjudged. */
  readonly bundle: JsonValue
  /** Hex SHA-256 of the release file that the evidence names. */
  readonly digest: string
  /** Sigstore's trusted_root.json, as text. */
  readonly trustedRoot: string
  readonly policy: CodePolicy
  /** Unix ms. */
  readonly now: number
}

/** The launch measurements that the release says it will have, lowercase hex of 48 bytes each. */
export interface CodeRegisters {
  readonly snp: string
  readonly rtmr1?: string
  readonly rtmr2?: string
}

/** What an authenticated bundle says of the release. */
export interface Provenance {
  /** `owner/name` on GitHub. */
  readonly repository: string
  /** What follows the policy's `refPrefix` in the ref that the workflow ran on. */
  readonly tag: string
  /** 40 lowercase hex digits. */
  readonly commit: string
  /** Lowercase hex SHA-256 of the release file. */
  readonly digest: string
  readonly predicateType: string
  readonly registers: CodeRegisters
  /** Unix ms: the earliest time at which the log, or a timestamp authority, vouches that the signature stood. */
  readonly logTime: number
  /** Unix ms. Fulcio certificates live for ten minutes: this is no bound on a verdict, the log time stands in for it. */
  readonly certificateNotBefore: number
  readonly certificateNotAfter: number
}
