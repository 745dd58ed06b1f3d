import type { AttestationCode } from './codes.ts'
import type { VerdictNoticeCode } from './codes/notices.ts'
import type { LocalizedText } from './message.ts'
import type { ImageRule, SevProduct } from './policy.ts'

/**
 * The trust roots of a verdict. There are two sets and never a union: the built-in set, and the set of the
 * sandbox in this process, which is accepted only together with the loopback address that this host opened.
 */
export interface TrustSet {
  readonly name: 'built-in' | 'sandbox'
  /**
   * DER of AMD's root and intermediate of each product, and of the revocation list that ships with them, if
   * one does.
   */
  readonly amd: Partial<
    Record<SevProduct, { readonly ark: Uint8Array; readonly ask: Uint8Array; readonly crl?: Uint8Array }>
  >
  /** Sigstore's trusted_root.json, as text. */
  readonly sigstoreTrustedRoot: string
  /** Unix ms: when that root was published. Absent if it was minted and doesn't age. */
  readonly sigstoreTrustedRootPublished?: number
  /** DER of Intel's SGX root and of AWS's Nitro root. A platform without a root isn't accepted. */
  readonly intelSgxRoot?: Uint8Array
  readonly awsNitroRoot?: Uint8Array
}

/** Sigstore replaces its logs and authorities about once a year, and announces that months ahead in the root. */
export const TRUSTED_ROOT_STALE_AFTER_DAYS = 90

const DAY_MS = 24 * 3600_000

/** @param published and @param now Unix ms */
export function trustedRootIsStale(published: number, now: number): boolean {
  return now - published > TRUSTED_ROOT_STALE_AFTER_DAYS * DAY_MS
}

/** The largest revocation list that is accepted, in bytes of DER. */
export const MAX_REVOCATION_LIST_BYTES = 64 * 1024

/** Which statement of a vendor a record is about. For each name only the newest one counts. */
export type CollateralName =
  | `amd-crl/${SevProduct}`
  | 'intel-root-crl'
  | `intel-pck-crl/${string}`
  | `intel-tcb-info/${string}`
  | 'intel-qe-identity'

/** A statement of AMD or Intel that was verified once, so that an older one can't replace it unnoticed. */
export interface CollateralRecord {
  name: CollateralName
  /**
   * Grows with each new statement: `thisUpdate` of a revocation list (Unix ms), or Intel's TCB evaluation
   * data number.
   */
  version: number
  /** Base64 of a revocation list in DER. Absent if the number is all that counts. */
  list?: string | undefined
}

/** `not-checked`: nothing to check it against (never counted as passed). `not-reached`: an earlier step failed. */
export const stepOutcomes = ['passed', 'failed', 'not-checked', 'not-reached'] as const
export type StepOutcome = (typeof stepOutcomes)[number]

/** A step of a verdict, as it is stored and shown. */
export interface VerdictStep {
  /** Stable name, such as `report/signature`. */
  id: string
  /** A short title of the step in plain words. */
  title: string
  outcome: StepOutcome
  /** The policy requires this step to pass. */
  required: boolean
  /** The step checks an unsigned claim of the service. It can refuse evidence, and proves nothing. */
  claim?: true | undefined
  /** A phrase or an unchanged value, such as lowercase hex. Empty if the step wasn’t reached. */
  expected: LocalizedText
  observed: LocalizedText
  code?: AttestationCode | undefined
}

/**
 * The result of verifying evidence. A fact is present only if a verified signature covers it. Times are Unix
 * ms, bytes lowercase hex.
 */
export interface Verdict {
  /** Every step that the policy requires passed. */
  good: boolean
  steps: VerdictStep[]
  /** The first step that failed. */
  failure?: { step: string; code: AttestationCode; says: string } | undefined
  /** Which set of roots the evidence was verified with. */
  trust: 'built-in' | 'sandbox'
  platform?: string | undefined
  enclaveHost: string
  /** The only register, or a SHA-256 over all of them. */
  measurement?: string | undefined
  /** The measured registers, by their vendor's names. */
  registers?: { name: string; hex: string }[] | undefined
  release?:
    | {
        repository: string
        tag: string
        commit?: string | undefined
        digest: string
        loggedAt?: number | undefined
      }
    | undefined
  hpkePublicKey?: string | undefined
  /** SHA-256 of the DER SubjectPublicKeyInfo. */
  tlsKeyFingerprint?: string | undefined
  /**
   * Bound to our nonce, signed by the hardware at a time, or at least as new as the release's entry in the
   * transparency log.
   */
  freshness?:
    | { kind: 'nonce-bound' }
    | { kind: 'signed-at'; signedTime: number }
    | { kind: 'at-least-as-new-as'; logTime: number }
    | undefined
  /** The machine and its policy, as the publisher's signed list names them. Only document v3 proves this. */
  machine?: { identity: string; policy: string } | undefined
  /**
   * Only for the service's enclave: the rule that accepted its image, and the claims of the service's record
   * about it.
   */
  image?: { rule: ImageRule; version?: string | undefined; commit?: string | undefined } | undefined
  verifiedAt: number
  /** At most one hour after `verifiedAt`, and never after the end of a certificate or collateral that was relied on. */
  validUntil: number
  /** Facts that the user should know. None of them changes the verdict. */
  notices?: { code: VerdictNoticeCode; says: string }[] | undefined
  /** SHA-256 of the evidence as received. */
  evidenceDigest: string
}
