/** How Sotto stands at this moment, in what a person outside the window may be told: no content, no name, no amount. */
export interface Standing {
  readonly open: boolean
  /** Whether other programs are served. */
  readonly serving: boolean
  /** `none`: this service has no private way. */
  readonly enclave: EnclaveStanding
  /** Of the last verdict; null before the first. Unix ms. */
  readonly verdict: { readonly good: boolean; readonly verifiedAt: number; readonly validUntil: number; readonly release: string | undefined } | null
  /** Another word whenever it fell below the bound anew; null while it has not. */
  readonly lowBalance: string | null
  /** How many long requests of the window were completed since the start. */
  readonly longRequests: number
}

/** `not-verified`: nothing holds now, and the next private request asks for a proof by itself. */
export type EnclaveStanding = 'verified' | 'refused' | 'not-verified' | 'none'
