/** Choices that a seed determines, so that a failing case can be repeated. */
export interface Random {
  /** Both ends are included. */
  int(least: number, most: number): number
  chance(of: number): boolean
  pick<Item>(items: readonly Item[]): Item
  text(alphabet: string, length: number): string
}

/** Mulberry32: small, and the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    int,
    chance: (of) => next() < of,
    pick: (items) => items[int(0, items.length - 1)]!,
    text: (alphabet, length) => Array.from({ length }, () => alphabet[int(0, alphabet.length - 1)]!).join(''),
  }
}
