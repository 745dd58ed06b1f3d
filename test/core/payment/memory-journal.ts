import type { BudgetJournal } from '../../../src/core/payment/index.ts'

/** A journal of which only what was written outlives `killed()`, as the store's does: holds at once, the rest with `flush()`. */
export class MemoryJournal implements BudgetJournal {
  readonly #holds = new Map<number, { keyId: string; day: number; most: bigint }>()
  readonly #days = new Map<string, Map<number, bigint>>()
  #waiting: (() => void)[] = []
  #last = 0
  refuses = false

  spent(keyId: string): Map<number, bigint> {
    this.flush()
    return new Map(this.#days.get(keyId))
  }
  hold(keyId: string, day: number, most: bigint): number {
    if (this.refuses) throw new Error('the disk refuses')
    this.#last += 1
    this.#holds.set(this.#last, { keyId, day, most })
    return this.#last
  }
  settle(hold: number | null, keyId: string, day: number, spentThatDay: bigint): void {
    this.#waiting.push(() => {
      if (hold !== null) this.#holds.delete(hold)
      this.#set(keyId, day, spentThatDay)
    })
  }
  flush(): void {
    for (const write of this.#waiting) write()
    this.#waiting = []
  }
  /** What the next process finds. */
  killed(): void {
    this.#waiting = []
    for (const { keyId, day, most } of this.#holds.values()) this.#set(keyId, day, (this.#days.get(keyId)?.get(day) ?? 0n) + most)
    this.#holds.clear()
  }
  #set(keyId: string, day: number, spent: bigint): void {
    const days = this.#days.get(keyId) ?? new Map<number, bigint>()
    this.#days.set(keyId, days.set(day, spent))
  }
}
