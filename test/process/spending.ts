/** The message of spending-world.ts after its start. */
export interface SpendingReady {
  readonly baseUrl: string
  readonly key: string
}

export interface Spent {
  /** Debits in the sandbox's ledger. */
  readonly debits: number
  /** Requests that the service received with a body. */
  readonly asked: readonly string[]
  readonly receipts: number
}
