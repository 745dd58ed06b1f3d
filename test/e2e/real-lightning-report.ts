import type { Purchase } from '../../src/shared/purchase.ts'

/** A report that test/process/real-lightning.ts prints when it is ready, and for each line written to it. */
export interface Report {
  /** The address of the window, with a code for a single tab. */
  readonly address: string
  /** The paying node's balance in its channel, in msat. */
  readonly balance: string
  readonly purchases: readonly Purchase[]
  /** The proofs of payment that left the core. */
  readonly preimages: readonly string[]
  /** Whether a key left the core. */
  readonly keySent: boolean
}
