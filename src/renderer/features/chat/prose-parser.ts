import type { ReactNode } from 'react'

/** A block of Markdown as elements; throws where it is deeper than a page can hold. */
export type ParseProse = (source: string) => ReactNode

let loaded: ParseProse | undefined
let loading: Promise<void> | undefined
const waiting = new Set<() => void>()

/** What makes elements of Markdown: undefined until it has come. */
export function proseParser(): ParseProse | undefined {
  return loaded
}

export function onProseParser(changed: () => void): () => void {
  waiting.add(changed)
  return () => waiting.delete(changed)
}

/** Fetches it, once: the first screen has nothing to show by it. What did not come is asked for again by the next text. */
export function preloadMarkdown(): Promise<void> {
  loading ??= fetched()
  return loading
}

/** Without it a text is shown as it was written, so that nobody has to be told of a failure. */
async function fetched(): Promise<void> {
  try {
    loaded = (await import('./parse-prose.tsx')).parseProse
    for (const changed of waiting) changed()
  } catch {
    loading = undefined
  }
}
