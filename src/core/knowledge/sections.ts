import type { DocumentForm } from './passages.ts'

/** A part of a line without the white space around it. */
export interface Span {
  /** UTF-16 units from the beginning of the document. */
  readonly start: number
  readonly end: number
  /** From 1. */
  readonly line: number
}

/** Lines that belong together: one heading, or several in a row, with the text below it on one page. */
export interface Section {
  readonly page: number | undefined
  readonly heading: string | undefined
  /** Without blank lines and marks of pages. */
  readonly lines: readonly Span[]
}

/** As the window's reader of PDFs writes it. */
const PAGE_MARK = /^\[Page (\d{1,5})(?: has no text\.)?\]$/
/** An ATX heading of CommonMark, without its closing marks. */
const HEADING = /^#{1,6}[ \t]+(\S.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/**
 * Reads the sections of a document in their order. A document may imitate the mark of a page, so a mark counts only if its number is
 * the next one.
 */
export function* readSections(text: string, { pages, markdown }: DocumentForm): Generator<Section, void> {
  let page: number | undefined
  let heading: string | undefined
  let lines: Span[] = []
  /** Whether the section has more than headings. */
  let hasText = false
  let fence: string | undefined
  for (const { span, content } of linesOf(text)) {
    const marked = pages === undefined ? undefined : Number(PAGE_MARK.exec(content)?.[1])
    const isNextPage = marked === (page ?? 0) + 1 && marked <= (pages ?? 0)
    const title = markdown && fence === undefined ? headingIn(content) : undefined
    if (isNextPage || (title !== undefined && hasText)) {
      if (lines.length > 0) yield { page, heading, lines }
      lines = []
      hasText = false
    }
    if (isNextPage) {
      page = marked
      continue
    }
    if (title === undefined) {
      hasText = true
      if (markdown) fence = fenceAfter(fence, content)
    } else heading = title
    lines.push(span)
  }
  if (lines.length > 0) yield { page, heading, lines }
}

function* linesOf(text: string): Generator<{ readonly span: Span; readonly content: string }, void> {
  let line = 1
  for (let from = 0; from <= text.length; line += 1) {
    const next = text.indexOf('\n', from)
    const to = next < 0 ? text.length : next
    const whole = text.slice(from, to)
    const content = whole.trim()
    if (content !== '') {
      const start = from + whole.length - whole.trimStart().length
      yield { span: { start, end: start + content.length, line }, content }
    }
    from = to + 1
  }
}

function headingIn(content: string): string | undefined {
  const title = HEADING.exec(content)?.[1]?.trim()
  if (title === undefined) return undefined
  const end = title.search(/(?<!#)#+$/)
  if (end < 0) return title
  const shorter = title.slice(0, end).trim()
  return shorter === '' ? title : shorter
}

/** @returns the fence of the block of code that the next line belongs to */
function fenceAfter(fence: string | undefined, content: string): string | undefined {
  const mark = FENCE.exec(content)?.[1]
  if (mark === undefined) return fence
  if (fence === undefined) return mark
  return mark.startsWith(fence) && content === mark ? undefined : fence
}
