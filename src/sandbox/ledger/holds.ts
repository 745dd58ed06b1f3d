/** What open requests may still cost, by account or key. It dies with the process, as the requests do. */
export class Holds {
  readonly #held = new Map<string, bigint>()

  of(id: string): bigint {
    return this.#held.get(id) ?? 0n
  }

  /** @param picoUsd negative: given back */
  add(id: string, picoUsd: bigint): void {
    const held = this.of(id) + picoUsd
    if (held === 0n) this.#held.delete(id)
    else this.#held.set(id, held)
  }
}
