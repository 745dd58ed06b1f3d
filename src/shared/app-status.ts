/** How Sotto stands at this moment, in what a person outside the window may be told: no content, no name, no amount. */
export interface AppStatus {
  readonly open: boolean
  /** Open, and saved somewhere: what is only in memory can't be locked. */
  readonly canLock: boolean
  /** Whether other programs are served. */
  readonly serving: boolean
  /** `none`: this service has no private way. */
  readonly enclave: EnclaveStatus
  /** Of the last verdict; null before the first. Unix ms. */
  readonly verdict: {
    readonly good: boolean
    readonly verifiedAt: number
    readonly validUntil: number
  } | null
  /** Another word whenever it fell below the bound anew; null while it has not. */
  readonly lowBalance: string | null
  /** Since the start: long answers and jobs of the window that were completed. */
  readonly longDone: number
  /** The same of long jobs that failed, or whose result is lost; and of those whose end nobody knows. */
  readonly longFailed: number
  readonly longUnknown: number
  /** Since the start: releases of the enclave that were verified here for the first time, though others were before. */
  readonly newReleases: number
}

/** `not-verified`: nothing holds now, and the next private request asks for a proof by itself. */
export type EnclaveStatus = 'verified' | 'refused' | 'not-verified' | 'none'
