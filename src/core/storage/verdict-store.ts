import type { CollateralRecord } from '../../shared/collateral-record.ts'
import type { Proof } from '../../shared/proof.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { VerifiedEnclave } from '../../shared/verified-enclave.ts'

/** A release of an enclave, by its tag and digest. */
export interface Release {
  readonly tag: string
  readonly digest: string
  /** Unix ms of when it was logged, as the verdict's `loggedAt`. */
  readonly logTime: number
}

/** What is remembered of good verdicts, so that an enclave cannot be rolled back, or replaced, unseen. Throws as Store does. */
export interface VerdictStore {
  readonly verdicts: {
    /** The newest release, by log time, that a good verdict of this enclave showed. */
    newestRelease(enclaveHost: string): Release | null
    /** Remembers what a good verdict accepted; one that is not good changes nothing. */
    record(verdict: Verdict): void
    /** Whether this older release was consented to since the newest one was seen. */
    acceptedOlder(enclaveHost: string, digest: string): boolean
    /** To consent to it as older is to trust it. */
    acceptOlder(enclaveHost: string, digest: string): void
    /** Whether a good verdict accepted this release (as `releaseKey` names it) before, or it was consented to. */
    trusted(enclaveHost: string, release: string): boolean
    trust(enclaveHost: string, release: string): void
  }
  /** The change log of what was verified. */
  readonly verifiedEnclaves: {
    /** The last seen first. */
    of(enclaveHost: string): VerifiedEnclave[]
    /** One that is known is seen again; another is added with its proof. A verdict that is not good changes nothing. */
    record(verdict: Verdict, proof: Proof): void
    /** Null where there is none, or its evidence was too large to be kept. */
    proof(id: string): Proof | null
  }
  /** The newest statements of AMD and Intel that were verified, so that older ones can't replace them unseen. */
  readonly collateral: {
    newest(): CollateralRecord[]
    /** Replaces what is known of each name, unless that is newer. */
    record(records: readonly CollateralRecord[]): void
  }
}
