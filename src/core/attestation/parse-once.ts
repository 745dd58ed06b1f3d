/** More than the certificates, lists and statements of one verdict. The oldest goes first. */
const KEPT = 32
/** What is longer is parsed each time: whoever sends evidence does not decide how much is kept. */
const LONGEST = 64 * 1024

/**
 * Remembers what a parser made of the same bytes. A verdict is made anew every hour, of evidence that is mostly the same: the chip's
 * certificate, Intel's collateral, the vendors' roots.
 *
 * Only parsing is remembered, which depends on the bytes alone; signatures, times, revocation and policy are judged with every verdict.
 * The parser is given a copy of its own, so that nobody can change the bytes under what was parsed. What it throws is not kept.
 */
export function parseOnce<T>(parse: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const kept = new Map<string, { readonly value: T }>()
  return (bytes) => {
    if (bytes.length > LONGEST) return parse(bytes)
    const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    const known = kept.get(key)
    if (known) return known.value
    const value = parse(Uint8Array.from(bytes))
    for (const oldest of kept.keys()) {
      if (kept.size < KEPT) break
      kept.delete(oldest)
    }
    kept.set(key, { value })
    return value
  }
}
