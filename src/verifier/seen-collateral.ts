import type { CollateralName, CollateralRecord } from './contract.ts'

/**
 * The vendors' statements of a verdict: the newest ones known before it, and those that it verifies. It
 * belongs to a single call of the verifier, which stays a pure function of its input.
 */
export class SeenCollateral {
  readonly #known: readonly CollateralRecord[]
  readonly #used = new Map<CollateralName, CollateralRecord>()

  constructor(known: readonly CollateralRecord[] = []) {
    this.#known = known
  }

  /** Returns the record that was known before, and counts it as an input of the verdict from now on. */
  find(name: CollateralName): CollateralRecord | undefined {
    const record = this.#known.find((candidate) => candidate.name === name)
    if (record) this.#used.set(name, record)
    return record
  }

  /** Records a verified statement, which must be the newest of its name. */
  note(record: CollateralRecord): void {
    this.#used.set(record.name, record)
  }

  /** The inputs of the verdict in addition to the evidence: each name once, with its newest statement. */
  used(): CollateralRecord[] {
    return [...this.#used.values()]
  }
}
