/** Most characters of such a block, because its lines are parsed again while it is written. */
const MAX_BLOCK = 7000
/** Lists inside each other. */
const MAX_DEPTH = 8

const OPENING = /^ {0,3}<(table|ul|ol|dl|pre)(?:\s[^<>\n]{0,300})?>/i
const TAG = {
  table: /<(\/?)table\b[^<>]{0,300}>/gi,
  ul: /<(\/?)ul\b[^<>]{0,300}>/gi,
  ol: /<(\/?)ol\b[^<>]{0,300}>/gi,
  dl: /<(\/?)dl\b[^<>]{0,300}>/gi,
  pre: /<(\/?)pre\b[^<>]{0,300}>/gi,
} as const
type HtmlBlockTag = keyof typeof TAG

/** The element that a block begins with. */
export function htmlTagOf(source: string): HtmlBlockTag | undefined {
  const name = OPENING.exec(source)?.[1]?.toLowerCase()
  return Object.keys(TAG).find((tag): tag is HtmlBlockTag => tag === name)
}

/**
 * The table, list or code in HTML that a source begins with, whatever empty lines are in it. One that is open counts only while the text grows. A
 * table within a table isn't read.
 */
export function blockOfHtml(source: string, text: 'whole' | 'growing'): string | undefined {
  const tag = htmlTagOf(source)
  if (tag === undefined) return undefined
  const within = source.slice(0, MAX_BLOCK)
  let depth = 0
  for (const { 0: whole, 1: closing, index } of within.matchAll(TAG[tag])) {
    depth += closing === '/' ? -1 : 1
    if (depth > (tag === 'table' ? 1 : MAX_DEPTH)) return undefined
    if (depth > 0) continue
    const after = index + whole.length
    return source.slice(0, after + (/^[ \t]*\n*/.exec(source.slice(after))?.[0].length ?? 0))
  }
  return text === 'growing' && source.length <= MAX_BLOCK ? source : undefined
}
