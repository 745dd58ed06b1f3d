/** What spending-world.ts says once it has started. */
export interface SpendingReady {
  readonly baseUrl: string
  readonly key: string
}

export interface Spent {
  /** Debits that the sandbox's ledger knows. */
  readonly debits: number
  /** Requests that the service received with a body. */
  readonly asked: readonly string[]
  readonly receipts: number
}
