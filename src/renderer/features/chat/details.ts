/** Most characters of a foldable section, because its lines are parsed again while it is written. */
const MAX_DETAILS = 7000
/** Sections inside each other. */
const MAX_DEPTH = 5

const OPENING = /^ {0,3}<details(?:\s[^<>\n]{0,200})?>/i
const TAGS = /<(\/?)details(?:\s[^<>\n]{0,200})?>|^ {0,3}(`{3,}|~{3,})/gim

/** The `<details>` that a source begins with; one that is open counts only while the text grows. */
export function blockOfDetails(source: string, text: 'whole' | 'growing'): string | undefined {
  if (!OPENING.test(source)) return undefined
  const end = endOfDetails(source)
  if (end !== undefined) return source.slice(0, end.after)
  return text === 'growing' && source.length <= MAX_DETAILS ? source : undefined
}

function endOfDetails(source: string): { readonly at: number; readonly after: number } | undefined {
  const within = source.slice(0, MAX_DETAILS)
  let depth = 0
  let fence: string | undefined
  for (const { 0: tag, 1: closing, 2: mark, index } of within.matchAll(TAGS)) {
    if (mark !== undefined) {
      if (fence === undefined) fence = mark
      else if (mark.startsWith(fence)) fence = undefined
    } else if (fence === undefined) {
      depth += closing === '/' ? -1 : 1
      if (depth > MAX_DEPTH) return undefined
      if (depth > 0) continue
      const rest = /^[ \t]*(?:\n+|$)/.exec(source.slice(index + tag.length))
      return rest ? { at: index, after: index + tag.length + rest[0].length } : undefined
    }
  }
  return undefined
}

export interface Details {
  readonly summary: string
  readonly body: string
  /** Shown unfolded, because its author asked for it or its end hasn't arrived. */
  readonly open: boolean
}

/** A block that is a foldable section, whose summary and body are Markdown. */
export function detailsOf(block: string): Details | undefined {
  const [opening] = OPENING.exec(block) ?? []
  if (opening === undefined || blockOfDetails(block, 'growing') === undefined) return undefined
  const end = endOfDetails(block)
  const inside = block.slice(opening.length, end?.at).trim()
  const [whole = '', summary = ''] =
    /^<summary(?:\s[^<>\n]{0,200})?>([^]{0,1000}?)<\/summary>/i.exec(inside) ?? []
  return {
    summary: summary.trim(),
    // Definitions of links and notes follow the section.
    body: `${inside.slice(whole.length).trim()}${end ? `\n\n${block.slice(end.after)}` : ''}`.trim(),
    open: !end || /\sopen\b/i.test(opening),
  }
}
