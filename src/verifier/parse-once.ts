/** More than the certificates, lists and statements of a verdict. */
const MAX_CACHED = 32
/**
 * A longer input is parsed each time, because the sender of evidence must not decide how much memory the
 * cache takes.
 */
const LONGEST = 64 * 1024

/**
 * Caches the result of a parser by its input bytes. Sotto verifies every hour, mostly with the same evidence:
 * the chip's certificate, Intel's collateral, the vendors' roots.
 *
 * The cache covers only parsing, which depends on nothing but the bytes. Every verdict checks signatures,
 * times, revocation and policy again. The parser gets its own copy, so a caller that changes the bytes can't
 * change the parsed value. Errors aren't cached.
 *
 * @param most the largest number of entries; the oldest is evicted first
 */
export function parseOnce<T>(parse: (bytes: Uint8Array) => T, most = MAX_CACHED): (bytes: Uint8Array) => T {
  const cache = new ParseCache<Uint8Array, T>(most, (one, other) => Buffer.compare(one, other) === 0)
  return (bytes) =>
    bytes.length > LONGEST ? parse(bytes) : cache.of(bytes, parse, (source) => Uint8Array.from(source))
}

/** Like `parseOnce`, for text. */
export function parseTextOnce<T>(parse: (text: string) => T): (text: string) => T {
  const cache = new ParseCache<string, T>(MAX_CACHED, (one, other) => one === other)
  return (text) => (text.length > LONGEST ? parse(text) : cache.of(text, parse, (source) => source))
}

/**
 * Like `parseOnce`, for a value derived from a parsed object. The cached value is collected with that object.
 */
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

/**
 * Compares the inputs instead of hashing them. The few entries differ in length, while a hash reads every
 * byte of the given source.
 */
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
    // Two copies, because the parser may keep or change views of its own.
    const value = parse(copy(key))
    if (this.#values.length >= this.#most) this.#values.shift()
    this.#values.push({ source: copy(key), value })
    return value
  }
}
