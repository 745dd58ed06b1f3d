/** More than the certificates, lists and statements of one verdict. */
const KEPT = 32
/** What is longer is parsed each time: whoever sends evidence does not decide how much is kept. */
const LONGEST = 64 * 1024

/**
 * Remembers what a parser made of the same bytes. A verdict is made anew every hour, of evidence that is mostly the same: the chip's
 * certificate, Intel's collateral, the vendors' roots.
 *
 * Only parsing is remembered, which depends on the bytes alone; signatures, times, revocation and policy are judged with every verdict.
 * The parser is given a copy of its own, so that nobody can change the bytes under what was parsed. What it throws is not kept.
 *
 * @param most how many are kept; the oldest goes first
 */
export function parseOnce<T>(parse: (bytes: Uint8Array) => T, most = KEPT): (bytes: Uint8Array) => T {
  const kept = new Kept<T>(most)
  return (bytes) => {
    if (bytes.length > LONGEST) return parse(bytes)
    return kept.of(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), () => parse(Uint8Array.from(bytes)))
  }
}

/** As parseOnce, of text. */
export function parseTextOnce<T>(parse: (text: string) => T): (text: string) => T {
  const kept = new Kept<T>(KEPT)
  return (text) => (text.length > LONGEST ? parse(text) : kept.of(text, () => parse(text)))
}

/** As parseOnce, of what was parsed already: what is read out of it goes with it. */
export function oncePer<Parsed extends object, T>(read: (parsed: Parsed) => T): (parsed: Parsed) => T {
  const known = new WeakMap<Parsed, { readonly value: T }>()
  return (parsed) => {
    let found = known.get(parsed)
    if (!found) {
      found = { value: read(parsed) }
      known.set(parsed, found)
    }
    return found.value
  }
}

class Kept<T> {
  readonly #values = new Map<string, { readonly value: T }>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  of(key: string, make: () => T): T {
    const known = this.#values.get(key)
    if (known) return known.value
    const value = make()
    for (const oldest of this.#values.keys()) {
      if (this.#values.size < this.#most) break
      this.#values.delete(oldest)
    }
    this.#values.set(key, { value })
    return value
  }
}
