import type { Token } from 'marked'

export interface Footnote {
  /** In lower case, because references are matched so. */
  readonly label: string
  readonly source: string
}

const DEFINITION = /^\[\^([^\]\s[`]{1,60})\]:[ \t]+/
const DEFINITIONS = /^(?=\[\^[^\]\s[`]{1,60}\]:[ \t])/m
const MAX_NOTES = 100
const MAX_NOTE = 4000

/** The footnotes of a text, in the order of their first definitions, and the tokens without them. */
export function footnotesOf(tokens: readonly Token[]): {
  readonly notes: readonly Footnote[]
  readonly rest: readonly Token[]
} {
  const notes = new Map<string, string>()
  let open: string | undefined
  const rest = tokens.filter((token) => {
    if (token.type === 'space') return true
    // Text that is indented below a note continues the note.
    if (token.type === 'code' && open !== undefined && /^(?: {4}|\t)/.test(token.raw)) {
      notes.set(
        open,
        `${notes.get(open) ?? ''}\n\n${token.raw.replaceAll(/^(?: {4}|\t)/gm, '').trim()}`.slice(0, MAX_NOTE),
      )
      return false
    }
    open = undefined
    if ((token.type !== 'paragraph' && token.type !== 'def') || !DEFINITION.test(token.raw)) return true
    const found = definitionsIn(token.raw)
    if (notes.size + found.length > MAX_NOTES || found.some(({ label }) => notes.has(label))) return true
    for (const { label, source } of found) notes.set(label, source)
    open = found.at(-1)?.label
    return false
  })
  return { notes: [...notes].map(([label, source]) => ({ label, source })), rest }
}

function definitionsIn(paragraph: string): Footnote[] {
  return paragraph.split(DEFINITIONS).flatMap((part) => {
    const label = DEFINITION.exec(part)?.[1]?.toLowerCase()
    return label === undefined
      ? []
      : [{ label, source: part.replace(DEFINITION, '').trim().slice(0, MAX_NOTE) }]
  })
}
