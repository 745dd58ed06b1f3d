import type { ReactNode } from 'react'

/** Turns a block of Markdown into elements. Throws if the block is nested too deep for a page. */
export type ParseProse = (source: string) => ReactNode

let loaded: ParseProse | undefined
let loading: Promise<void> | undefined
const waiting = new Set<() => void>()

/** The Markdown parser; undefined until it has loaded. */
export function proseParser(): ParseProse | undefined {
  return loaded
}

export function onProseParser(changed: () => void): () => void {
  waiting.add(changed)
  return () => waiting.delete(changed)
}

/** Loads the parser once, because the first screen doesn't need it. If loading fails, the next text tries again. */
export function preloadMarkdown(): Promise<void> {
  loading ??= fetched()
  return loading
}

/** A failure needs no message, because the text is then shown as source. */
async function fetched(): Promise<void> {
  try {
    loaded = (await import('./parse-prose.tsx')).parseProse
    for (const changed of waiting) changed()
  } catch {
    loading = undefined
  }
}
