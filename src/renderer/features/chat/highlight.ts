import type { PluggableList } from 'unified'

export type Highlight = PluggableList

const none: Highlight = []
let loaded = none
let loading = false
const waiting = new Set<() => void>()

/** The highlighting plugins: none until the first code block asked for them. */
export function highlighter(): Highlight {
  return loaded
}

export function noHighlighter(): Highlight {
  return none
}

export function onHighlighter(changed: () => void): () => void {
  waiting.add(changed)
  return () => waiting.delete(changed)
}

/** Loads what colours code, once: most conversations never need it. */
export async function wantHighlighter(): Promise<void> {
  if (loading) return
  loading = true
  const { default: rehypeHighlight } = await import('rehype-highlight')
  loaded = [rehypeHighlight]
  for (const changed of waiting) changed()
}
