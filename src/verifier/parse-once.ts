/** More than the certificates, lists and statements of one verdict. */
const MAX_CACHED = 32
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
export function parseOnce<T>(parse: (bytes: Uint8Array) => T, most = MAX_CACHED): (bytes: Uint8Array) => T {
  const cache = new ParseCache<Uint8Array, T>(most, (one, other) => Buffer.compare(one, other) === 0)
  return (bytes) =>
    bytes.length > LONGEST ? parse(bytes) : cache.of(bytes, parse, (source) => Uint8Array.from(source))
}

/** As parseOnce, of text. */
export function parseTextOnce<T>(parse: (text: string) => T): (text: string) => T {
  const cache = new ParseCache<string, T>(MAX_CACHED, (one, other) => one === other)
  return (text) => (text.length > LONGEST ? parse(text) : cache.of(text, parse, (source) => source))
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

/** Compares instead of hashing: few are kept and their lengths differ, but a hash reads every byte of the given source. */
class ParseCache<Source extends { readonly length: number }, T> {
  readonly #values: { readonly source: Source; readonly value: T }[] = []
  readonly #most: number
  readonly #equal: (one: Source, other: Source) => boolean

  constructor(most: number, equal: (one: Source, other: Source) => boolean) {
    this.#most = most
    this.#equal = equal
  }

  of(key: Source, parse: (source: Source) => T, copy: (source: Source) => Source): T {
    for (const { source, value } of this.#values)
      if (source.length === key.length && this.#equal(source, key)) return value
    // Two copies: the parser may keep parts of its own, or change it.
    const value = parse(copy(key))
    if (this.#values.length >= this.#most) this.#values.shift()
    this.#values.push({ source: copy(key), value })
    return value
  }
}
