import { createHash } from 'node:crypto'
import type { TokenCounter } from './token-thread.ts'

/** Texts whose counts are cached: those of some long conversations. */
const MOST_CACHED = 10_000

/**
 * Caches each count in memory under the hash of its text, so that no text is stored. The least recently used
 * counts are evicted.
 */
export function createCachedCounter(
  counter: Pick<TokenCounter, 'count'>,
  most = MOST_CACHED,
): Pick<TokenCounter, 'count'> {
  const cached = new Map<string, number>()
  function remember(key: string, tokens: number): void {
    cached.delete(key)
    cached.set(key, tokens)
    if (cached.size > most) for (const oldest of cached.keys()) return void cached.delete(oldest)
  }
  return {
    async count(texts) {
      const keyed = texts.map((text) => ({ text, key: createHash('sha256').update(text).digest('base64') }))
      const counts = new Map<string, number>()
      const missing = new Map<string, string>()
      for (const { key, text } of keyed) {
        const tokens = cached.get(key)
        if (tokens === undefined) missing.set(key, text)
        else counts.set(key, tokens)
      }
      const counted = await counter.count([...missing.values()])
      for (const [at, key] of [...missing.keys()].entries()) counts.set(key, counted[at] ?? 0)
      for (const [key, tokens] of counts) remember(key, tokens)
      return keyed.map(({ key }) => counts.get(key) ?? 0)
    },
  }
}
