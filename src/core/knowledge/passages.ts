import { MAX_PASSAGE_LENGTH, type PassagePlace } from '../../shared/passage-text.ts'
import { textTokens } from '../../shared/token-estimate.ts'
import { readSections, type Section, type Span } from './sections.ts'

/** Tokens of a passage, with one for each gap between its parts. */
export const MOST_TOKENS = 290
/** Tokens at the end of a passage that the next passage of the section repeats. */
const OVERLAP_TOKENS = 60
/** UTF-16 units up to which a line is one part. Longer lines are cut into sentences. */
const SHORT_LINE = 120
/** UTF-16 units of a part, none of which takes more than one token. */
const PART_LENGTH = 240
/** UTF-16 units of a heading in a place. */
const HEADING_LENGTH = 200

export interface DocumentForm {
  /** Lines such as `[Page 2]` begin the pages of a PDF. */
  readonly pages?: number | undefined
  /** Lines such as `## Title` are headings. */
  readonly markdown: boolean
}

/** A passage as a part of its document. */
export interface PassageCut {
  readonly text: string
  readonly place: PassagePlace
  readonly tokens: number
  /** UTF-16 units from the beginning of the document. */
  readonly start: number
}

interface Part extends Span {
  readonly tokens: number
}

/**
 * Cuts a document into passages of at most `MOST_TOKENS` tokens and `MAX_PASSAGE_LENGTH` UTF-16 units, in their order. Together they
 * contain every character that isn't white space, except the marks of pages. No passage has text from two pages, or from before and after
 * a heading. Each is cut when it's read, so that the caller can pause between two.
 */
export function* cutPassages(text: string, form: DocumentForm): Generator<PassageCut, void> {
  for (const section of readSections(text, form)) yield* passagesOf(text, section)
}

function* passagesOf(text: string, section: Section): Generator<PassageCut, void> {
  let parts: Part[] = []
  let tokens = 0
  for (const line of section.lines) {
    for (const part of partsOf(text, line)) {
      if (parts.length > 0 && !fits(parts, tokens, part)) {
        yield toPassage(text, section, parts)
        parts = overlapOf(parts)
        tokens = sumTokens(parts)
        if (!fits(parts, tokens, part)) {
          parts = []
          tokens = 0
        }
      }
      parts.push(part)
      tokens += part.tokens + 1
    }
  }
  if (parts.length > 0) yield toPassage(text, section, parts)
}

function fits(parts: readonly Part[], tokens: number, part: Part): boolean {
  const start = parts[0]?.start ?? part.start
  return tokens + part.tokens + 1 <= MOST_TOKENS && part.end - start <= MAX_PASSAGE_LENGTH
}

/** The last parts of a passage, but never all of it. */
function overlapOf(parts: readonly Part[]): Part[] {
  let at = parts.length
  let tokens = 0
  while (at > 1) {
    tokens += (parts[at - 1]?.tokens ?? 0) + 1
    if (tokens > OVERLAP_TOKENS) break
    at -= 1
  }
  return parts.slice(at)
}

function sumTokens(parts: readonly Part[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens + 1, 0)
}

function toPassage(text: string, { page, heading }: Section, parts: readonly Part[]): PassageCut {
  const { start = 0, line = 1 } = parts[0] ?? {}
  const cut = text.slice(start, parts.at(-1)?.end)
  return {
    text: cut,
    place: {
      ...(page !== undefined && { page }),
      ...(heading !== undefined && { heading: heading.slice(0, HEADING_LENGTH).toWellFormed() }),
      line,
    },
    tokens: textTokens(cut),
    start,
  }
}

/** Ends of sentences: a mark before white space, or one of a script without spaces. */
const SENTENCE_END = /[.!?…](?=\s)|[。！？]/

/** The sentences of a line. Longer ones are cut at a space, or anywhere if they have none. */
function* partsOf(text: string, { start, end, line }: Span): Generator<Part, void> {
  let from = start
  if (end - start <= SHORT_LINE) {
    yield toPart(text, start, end, line)
    from = end
  }
  while (from < end) {
    const window = text.slice(from, Math.min(end, from + PART_LENGTH))
    const to = from + cutIn(window, end - from)
    const content = text.slice(from, to)
    const before = content.length - content.trimStart().length
    if (before < content.length) yield toPart(text, from + before, from + content.trimEnd().length, line)
    from = to
  }
}

/**
 * Where to cut a text. Never 0, and never inside a surrogate pair.
 *
 * @param length of the text; the window is its beginning
 */
function cutIn(window: string, length: number): number {
  const sentence = window.search(SENTENCE_END)
  if (sentence >= 0) return sentence + 1
  if (length <= window.length) return length
  const space = window.lastIndexOf(' ')
  if (space > 0) return space
  return /[\uD800-\uDBFF]$/.test(window) ? window.length - 1 : window.length
}

function toPart(text: string, start: number, end: number, line: number): Part {
  return { start, end, line, tokens: textTokens(text.slice(start, end)) }
}
