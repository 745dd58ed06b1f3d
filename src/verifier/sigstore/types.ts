import type { CodePolicy } from '../policy.ts'
import type { JsonValue } from '../strict-json.ts'

export interface SigstoreInput {
  /** A Sigstore bundle v0.3, parsed by `parseStrictJson` but not verified. */
  readonly bundle: JsonValue
  /** Hex SHA-256 of the release file that the evidence names. */
  readonly digest: string
  /** Sigstore's trusted_root.json, as text. */
  readonly trustedRoot: string
  readonly policy: CodePolicy
  /** Unix ms. */
  readonly now: number
}

/** The launch measurements that the release predicts, as lowercase hex of 48 bytes each. */
export interface CodeRegisters {
  readonly snp: string
  readonly rtmr1?: string
  readonly rtmr2?: string
}

/** The facts that an authenticated bundle states about the release. */
export interface Provenance {
  /** `owner/name` on GitHub. */
  readonly repository: string
  /** The ref that the workflow ran on, without the policy's `refPrefix`. */
  readonly tag: string
  /** 40 lowercase hex digits. */
  readonly commit: string
  /** Lowercase hex SHA-256 of the release file. */
  readonly digest: string
  readonly predicateType: string
  readonly registers: CodeRegisters
  /**
   * Unix ms: the earliest time at which the log or a timestamp authority confirms that the signature existed.
   */
  readonly logTime: number
  /**
   * Unix ms. Fulcio certificates are valid for ten minutes. They don't limit a verdict's validity, because
   * the log time is used instead.
   */
  readonly certificateNotBefore: number
  readonly certificateNotAfter: number
}
