/** The current status of Sotto for display outside the window: no content, names or amounts. */
export interface AppStatus {
  readonly open: boolean
  /** The vault is open, and saved with the store. Data that is only in memory can't be locked. */
  readonly canLock: boolean
  /** Whether other programs are served. */
  readonly serving: boolean
  /** `none`: this service has no private models. */
  readonly enclave: EnclaveStatus
  /** The last verdict; null before the first. Unix ms. */
  readonly verdict: {
    readonly good: boolean
    readonly verifiedAt: number
    readonly validUntil: number
  } | null
  /** A value that changes each time the balance falls below the threshold; null if it hasn't. */
  readonly lowBalance: string | null
  /** Since the start: long answers and jobs of the window that were completed. */
  readonly longDone: number
  /**
   * Changes in the same way for long jobs that failed or whose result is lost, and below for those whose
   * outcome is unknown.
   */
  readonly longFailed: number
  readonly longUnknown: number
  /** Since the start: releases of the enclave that were verified here for the first time, though others were before. */
  readonly newReleases: number
}

/** `not-verified`: no verdict is in force now, and the next private request triggers a verification. */
export type EnclaveStatus = 'verified' | 'refused' | 'not-verified' | 'none'
