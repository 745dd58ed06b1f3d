import type { CollateralRecord } from '../../shared/collateral-record.ts'
import type { Proof } from '../../shared/proof.ts'
import type { Verdict } from '../../shared/verdict.ts'
import type { VerifiedEnclave } from '../../shared/verified-enclave.ts'

/** A release of an enclave, by its tag and digest. */
export interface Release {
  readonly tag: string
  readonly digest: string
  /** Unix ms of the log entry, like the verdict's `loggedAt`. */
  readonly logTime: number
}

/**
 * Records of successful verdicts, so that an enclave can't be rolled back or replaced undetected. Throws as
 * Store does.
 */
export interface VerdictStore {
  readonly verdicts: {
    /** The newest release, by log time, in a successful verdict of this enclave. */
    newestRelease(enclaveHost: string): Release | null
    /** Records the release of a successful verdict; ignores other verdicts. */
    record(verdict: Verdict): void
    /** Whether the user consented to this older release since the newest one was first seen. */
    acceptedOlder(enclaveHost: string, digest: string): boolean
    /** Consenting to an older release also trusts it. */
    acceptOlder(enclaveHost: string, digest: string): void
    /**
     * Whether a successful verdict accepted this release (named by `releaseKey`) before, or the user
     * consented to it.
     */
    trusted(enclaveHost: string, release: string): boolean
    trust(enclaveHost: string, release: string): void
  }
  /** The change log of verified enclaves. */
  readonly verifiedEnclaves: {
    /** The last seen enclave first. */
    of(enclaveHost: string): VerifiedEnclave[]
    /**
     * Updates the last sight of a known enclave, or adds a new one with its proof. Ignores verdicts that
     * aren't successful.
     */
    record(verdict: Verdict, proof: Proof): void
    /** Returns null if there is no proof, or its evidence was too large to store. */
    proof(id: string): Proof | null
  }
  /** The newest verified signed data of AMD and Intel, so that older data can't replace it undetected. */
  readonly collateral: {
    newest(): CollateralRecord[]
    /** Replaces the record of each name, unless the stored one is newer. */
    record(records: readonly CollateralRecord[]): void
  }
}
