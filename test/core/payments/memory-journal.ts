import type { BudgetJournal } from '../../../src/core/payments/index.ts'

/** A day of a key: what is known, and what would outlive a kill. */
interface Day {
  readonly keyId: string
  readonly day: number
  reserved: bigint
  spent: bigint
  writtenSpent: bigint
  covered: bigint
}

/**
 * A journal of which only what was written outlives `killed()`: a hold at once, exactly what it must be; the rest with
 * `flush()`.
 */
export class MemoryJournal implements BudgetJournal {
  readonly #days = new Map<string, Day>()
  refuses = false

  spent(keyId: string): Map<number, bigint> {
    this.flush()
    return new Map(
      [...this.#days.values()].flatMap((day) =>
        day.keyId === keyId && day.spent > 0n ? [[day.day, day.spent]] : [],
      ),
    )
  }
  hold(keyId: string, dayNumber: number, reserved: bigint): void {
    if (this.refuses) throw new Error('the disk refuses')
    const day = this.#dayOf(keyId, dayNumber)
    day.reserved = reserved
    day.covered = max(day.covered, reserved + day.spent - day.writtenSpent)
  }
  settle(keyId: string, dayNumber: number, reserved: bigint, spent: bigint): void {
    const day = this.#dayOf(keyId, dayNumber)
    day.reserved = reserved
    day.spent = spent
  }
  flush(): void {
    for (const day of this.#days.values()) {
      day.writtenSpent = day.spent
      day.covered = day.reserved
    }
  }
  /** What the next process finds. */
  killed(): void {
    for (const day of this.#days.values()) {
      day.spent = day.writtenSpent = day.writtenSpent + day.covered
      day.reserved = day.covered = 0n
    }
  }
  #dayOf(keyId: string, day: number): Day {
    const name = `${keyId}/${String(day)}`
    const known = this.#days.get(name) ?? {
      keyId,
      day,
      reserved: 0n,
      spent: 0n,
      writtenSpent: 0n,
      covered: 0n,
    }
    this.#days.set(name, known)
    return known
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
