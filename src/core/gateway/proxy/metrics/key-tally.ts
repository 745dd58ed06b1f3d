import type { Receipt } from '../../../../shared/receipt.ts'

/** The use of one local key since the start. */
export interface KeyUse {
  readonly requests: Map<Receipt['outcome'], number>
  promptTokens: number
  completionTokens: number
  picoUsd: bigint
}

/** More keys than this aren't counted, so that a program that creates keys can't fill the memory. */
const MAX_KEYS = 1000

/** Counts the requests of each local key, from their receipts. */
export class KeyTally {
  /** By the key's ID. */
  readonly #uses = new Map<string, KeyUse>()

  /** A cost that the service stated far above the estimate counts like the charge of the budget: `charged`. */
  note({ caller: { localKeyId }, outcome, usage, cost, charged }: Receipt): void {
    if (localKeyId === undefined) return
    let use = this.#uses.get(localKeyId)
    if (!use) {
      if (this.#uses.size >= MAX_KEYS) return
      use = { requests: new Map(), promptTokens: 0, completionTokens: 0, picoUsd: 0n }
      this.#uses.set(localKeyId, use)
    }
    use.requests.set(outcome, (use.requests.get(outcome) ?? 0) + 1)
    use.promptTokens += usage?.prompt ?? 0
    use.completionTokens += usage?.completion ?? 0
    use.picoUsd += BigInt(charged ?? cost ?? 0)
  }

  /** Returns the use of a key; undefined before its first request. */
  of(keyId: string): Readonly<KeyUse> | undefined {
    return this.#uses.get(keyId)
  }
}
