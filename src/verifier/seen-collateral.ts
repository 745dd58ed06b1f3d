import type { CollateralName, CollateralRecord } from './contract.ts'

/**
 * The vendors' statements of one verdict: the newest ones known before it, and those that it verifies. It belongs to one call of the
 * verifier, which stays a pure function of its input.
 */
export class SeenCollateral {
  readonly #known: readonly CollateralRecord[]
  readonly #used = new Map<CollateralName, CollateralRecord>()

  constructor(known: readonly CollateralRecord[] = []) {
    this.#known = known
  }

  /** The record that was known before; from now on it is part of what the verdict came from. */
  find(name: CollateralName): CollateralRecord | undefined {
    const record = this.#known.find((candidate) => candidate.name === name)
    if (record) this.#used.set(name, record)
    return record
  }

  /** A statement that was verified and is the newest of its name. */
  note(record: CollateralRecord): void {
    this.#used.set(record.name, record)
  }

  /** Everything that the verdict came from, beside the evidence: each name once, with its newest statement. */
  used(): CollateralRecord[] {
    return [...this.#used.values()]
  }
}
