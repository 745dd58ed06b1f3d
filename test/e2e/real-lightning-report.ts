import type { Purchase } from '../../src/shared/purchase.ts'

/** What test/process/real-lightning.ts says of itself: when it is ready, and for each line that it is written. */
export interface Report {
  /** Of the window, with a code for one tab. */
  readonly address: string
  /** msat that the paying node holds in its channel. */
  readonly balance: string
  readonly purchases: readonly Purchase[]
  /** The proofs of payment that left the core. */
  readonly preimages: readonly string[]
  /** Whether a key left it. */
  readonly keySent: boolean
}
