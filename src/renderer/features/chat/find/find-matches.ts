import type { ShownMessage } from '../../../../shared/conversation-tree.ts'
import { splitThinking } from '../thinking.ts'
import type { Match } from './find-store.ts'

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g

/**
 * The query as a pattern that ignores case, treats any white space alike and finds composed and decomposed characters.
 * Returns undefined for a query without a visible character. The pattern has no state between calls of `matchAll`.
 */
export function findPattern(query: string): RegExp | undefined {
  const text = query.trim()
  if (text === '') return undefined
  const forms = [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])]
  const escaped = forms.map((form) => form.replace(SYNTAX, String.raw`\$&`).replace(/\s+/gu, String.raw`\s+`))
  return new RegExp(escaped.join('|'), 'giu')
}

/** A link or an image: the group is its text. */
const LINK = /!?\[((?:[^\]\n\\]|\\.){0,500})\]\([^()\s]{0,2000}\)/g
/** Marks of emphasis, strike-through and code next to a word. */
const MARKS = /(?<=\S)[*_~`]{1,3}(?=\s|\p{P}|$)|(?<=\s|\p{P}|^)[*_~`]{1,3}(?=\S)|\*\*|~~|`/gu

/** The text of a reply nearly as the page shows it: with the text of links, and without marks of emphasis and code. */
export function withoutMarks(markdown: string): string {
  return markdown.replace(LINK, '$1').replace(MARKS, '')
}

/** All matches in a branch, from its first message to its last. The text of damaged messages is unknown and not searched. */
export function findMatches(shown: readonly ShownMessage[], pattern: RegExp): readonly Match[] {
  return shown.flatMap(({ message: { id, role, text, damaged } }) => {
    if (damaged === true) return []
    const searched = role === 'assistant' ? withoutMarks(splitThinking(text).text) : text
    return Array.from(searched.matchAll(pattern), (_, nth): Match => ({ messageId: id, nth }))
  })
}

/** Elements that end a line: a match may not reach from the text of one into the text of the next. */
const BLOCK = 'address,article,blockquote,dd,div,dt,figcaption,h1,h2,h3,h4,h5,h6,li,p,pre,section,td,th'

/**
 * The places of the pattern in the text of an element, also where a match is divided by emphasis or a link.
 * @param skip a selector of parts that don't belong to the text, such as buttons
 */
export function rangesIn(element: Element, pattern: RegExp, skip: string): readonly Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const pieces: { readonly node: Text; readonly from: number }[] = []
  let text = ''
  let block: Element | null | undefined
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!(node instanceof Text) || parent?.closest(skip)) continue
    const container = parent?.closest(BLOCK)
    if (block !== undefined && container !== block) text += '\n'
    block = container ?? null
    pieces.push({ node, from: text.length })
    text += node.data
  }
  const at = (offset: number) => pieces.findLast(({ from }) => from <= offset)
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const start = at(match.index)
    const end = at(match.index + match[0].length - 1)
    if (!start || !end) return []
    const range = document.createRange()
    range.setStart(start.node, match.index - start.from)
    range.setEnd(end.node, Math.min(match.index + match[0].length - end.from, end.node.length))
    return [range]
  })
}
