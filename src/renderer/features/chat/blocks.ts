import type { Token, Tokens } from 'marked'
import { topLevel } from './block-lexer.ts'
import { footnotesOf, type Footnote } from './footnote-source.ts'

/** What the definitions of a text, given to each block that may use them, may come to. */
const MAX_DEFINITIONS = 4000

/** A finished text. */
export interface FinishedText {
  readonly blocks: readonly string[]
  readonly notes: readonly Footnote[]
}

/**
 * The top-level blocks of a finished Markdown text, each to be rendered by itself, and its footnotes. Link definitions are
 * given to every block that may refer to them, because a block is rendered without the others.
 */
export function splitText(markdown: string): FinishedText {
  const tokens = topLevel(markdown.replaceAll('\r\n', '\n'), 'whole')
  const { notes, rest } = footnotesOf(tokens)
  const definitions = rest
    .filter(({ type }) => type === 'def')
    .map(({ raw }) => raw.trim())
    .join('\n')
    .slice(0, MAX_DEFINITIONS)
  const given = [
    ...(definitions === '' ? [] : [definitions]),
    ...notes.map(({ label }) => `[^${label}]: .`),
  ].join('\n\n')
  const blocks = rest.filter(isBlock).flatMap(piecesOf)
  return {
    notes,
    blocks:
      given === ''
        ? blocks
        : blocks.map((block) => (isFenced(block) || !block.includes('[') ? block : `${block}\n\n${given}`)),
  }
}

export function splitBlocks(markdown: string): readonly string[] {
  return splitText(markdown).blocks
}

/** Items of a list that make one block: a longer list is several, so that writing its end costs no more than its middle. */
const LIST_ITEMS = 24
/** And their characters, of more than one. */
const LIST_LENGTH = 4000

/** Characters of the longest block: whatever is longer, but fenced code, is several. */
const MAX_BLOCK = 8000

/** A token as one block, or a long list as several that go on counting. Blocks end without blank lines. */
function piecesOf(token: Token): string[] {
  if (!isList(token)) return shortened(token.raw)
  const pieces: string[] = []
  for (let from = 0; from < token.items.length;) {
    const count = itemsOfPiece(token.items.slice(from, from + LIST_ITEMS))
    pieces.push(...shortened(countFrom(token, from, rawOf(token.items.slice(from, from + count)))))
    from += count
  }
  return pieces
}

/** How many of a list's items make its next block. */
function itemsOfPiece(items: readonly Tokens.ListItem[]): number {
  let length = 0
  const over = items.slice(0, LIST_ITEMS).findIndex(({ raw }) => (length += raw.length) > LIST_LENGTH)
  return over === -1 ? Math.min(items.length, LIST_ITEMS) : Math.max(over, 1)
}

function shortened(source: string): string[] {
  const pieces: string[] = []
  let rest = source
  while (rest.length > MAX_BLOCK && !isFenced(rest)) {
    const cut = cutLong(rest)
    pieces.push(cut.head.trimEnd())
    rest = cut.rest
  }
  return [...pieces, rest.trimEnd()].filter((piece) => piece !== '')
}

const TABLE_HEAD = /^[^\n]{1,1000}\n {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?\n/

/** The beginning of a block that is too long, cut at a line, else at a word; the rest of a table has its head again. */
function cutLong(source: string): { head: string; rest: string } {
  const start = source.slice(0, MAX_BLOCK)
  const line = start.lastIndexOf('\n') + 1
  const word = start.lastIndexOf(' ') + 1
  const at =
    [line, word].find((place) => place > MAX_BLOCK / 2) ??
    (isHighSurrogate(start) ? MAX_BLOCK - 1 : MAX_BLOCK)
  const tableHead = at === line && source.includes('|') ? (TABLE_HEAD.exec(source)?.[0] ?? '') : ''
  return { head: source.slice(0, at), rest: tableHead + source.slice(at) }
}

function isHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00
}

function isFenced(source: string): boolean {
  return OPENING_FENCE.test(source)
}

function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === 'list'
}

function rawOf(tokens: readonly { readonly raw: string }[]): string {
  return tokens.map(({ raw }) => raw).join('')
}

/** Part of a numbered list with the number that its first item has in the whole. */
function countFrom({ ordered, start }: Tokens.List, index: number, source: string): string {
  return ordered && index > 0 ? source.replace(/\d{1,9}/, String(Number(start) + index)) : source
}

/** What a blank line ends, whatever comes after it. A list or a note goes on after one, and so does what looks like HTML. */
const ENDED_BY_BLANK = ['paragraph', 'heading', 'table', 'hr']

/** Whether nothing that is still to come can belong to the last block of these whole lines: it has ended before another began. */
function isEnded(tokens: readonly Token[], last: number): boolean {
  const block = tokens[last]
  return (
    block !== undefined &&
    ENDED_BY_BLANK.includes(block.type) &&
    /\n[ \t]*\n$/.test(rawOf(tokens.slice(last)))
  )
}

function isBlock({ type }: Token): boolean {
  return type !== 'space' && type !== 'def'
}

/** Lines of an open code block that are settled together. */
const PIECE_LINES = 48

/** A code block whose end has not come: text, in pieces that do not change any more and one that does. */
export interface OpenCode {
  readonly language: string
  readonly pieces: readonly string[]
  readonly last: string
}

/** What can be shown of a text that is still coming. */
export interface GrowingBlocks {
  /** Blocks that no later text can change. The same array until there is another. */
  readonly settled: readonly string[]
  /** What comes after them. */
  readonly tail: string
  /** The tail's second part, where a code block is open; `tail` is then what stands before it. */
  readonly code: OpenCode | undefined
  /** Of a finished text. */
  readonly notes?: readonly Footnote[]
}

interface OpenFence {
  readonly mark: string
  /** The opening line as it is. */
  readonly opening: string
  readonly language: string
  pieces: readonly string[]
}

const OPENING_FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n]*)\n/

/**
 * Splits a text while it comes. The cost of one addition depends on the block that is being written and not on the text
 * before it: only whole lines are judged, only those of the last block, and those of an open code block only once.
 */
export class BlockGrowth {
  #settled: readonly string[] = []
  /** From the first block that is not settled, without an open code block's settled pieces. */
  #tail = ''
  #fence: OpenFence | undefined
  /** How much of the tail has been looked at, as whole lines. */
  #seen = 0

  add(text: string): void {
    this.#tail += text.replaceAll('\r\n', '\n')
    const lines = this.#tail.lastIndexOf('\n') + 1
    if (lines > this.#seen) {
      if (this.#fence) this.#growCode()
      else this.#settle(lines)
    }
    this.#cutTail()
  }

  get state(): GrowingBlocks {
    const code = this.#fence && {
      language: this.#fence.language,
      pieces: this.#fence.pieces,
      last: this.#tail,
    }
    return { settled: this.#settled, tail: code ? '' : this.#tail, code }
  }

  #settle(lines: number): void {
    this.#seen = lines
    const tokens = topLevel(this.#tail.slice(0, lines), 'growing')
    const last = tokens.findLastIndex(({ type }) => type !== 'space')
    const done = isEnded(tokens, last) ? tokens : tokens.slice(0, Math.max(last, 0))
    this.#cut(rawOf(done), done.filter(isBlock).flatMap(piecesOf))
    if (done !== tokens) this.#cutList(tokens[last])
    this.#openFence()
  }

  /** A list that is being written settles by so many items; what follows goes on counting. */
  #cutList(list: Token | undefined): void {
    if (!isList(list)) return
    const count = itemsOfPiece(list.items)
    if (list.items.length <= count) return
    const head = rawOf(list.items.slice(0, count))
    if (!this.#cut(head, shortened(head))) return
    const rest = countFrom(list, count, this.#tail)
    this.#seen += rest.length - this.#tail.length
    this.#tail = rest
  }

  /** What goes on for longer than a block may is settled as far as that. A line of code is text, and as long as it likes. */
  #cutTail(): void {
    while (!this.#fence && this.#tail.length > MAX_BLOCK) {
      const { head, rest } = cutLong(this.#tail)
      this.#settled = [...this.#settled, head.trimEnd()].filter((block) => block !== '')
      this.#seen = Math.max(this.#seen + rest.length - this.#tail.length, 0)
      this.#tail = rest
    }
  }

  /** Settles the beginning of the tail; where the lexer's text is not the tail's to the letter, nothing is cut. */
  #cut(head: string, blocks: readonly string[]): boolean {
    if (head === '' || !this.#tail.startsWith(head)) return false
    this.#settled = [...this.#settled, ...blocks]
    this.#tail = this.#tail.slice(head.length)
    this.#seen = Math.max(this.#seen - head.length, 0)
    return true
  }

  #openFence(): void {
    const opening = OPENING_FENCE.exec(this.#tail)
    if (!opening) return
    const [line, mark = '', info = ''] = opening
    // CommonMark 0.31 §4.5: info strings after backticks hold none.
    if (mark.startsWith('`') && info.includes('`')) return
    this.#fence = { mark, opening: line, language: languageOf(info), pieces: [] }
    this.#tail = this.#tail.slice(line.length)
    this.#seen = 0
    this.#growCode()
  }

  #growCode(): void {
    const fence = this.#fence
    if (!fence) return
    for (
      let end = this.#tail.indexOf('\n', this.#seen);
      end !== -1;
      end = this.#tail.indexOf('\n', this.#seen)
    ) {
      const line = this.#tail.slice(this.#seen, end)
      this.#seen = end + 1
      if (isClosingFence(line, fence.mark)) return this.#closeCode(fence)
    }
    const lines = this.#tail.slice(0, this.#seen).split('\n')
    if (lines.length <= PIECE_LINES) return
    const piece = this.#tail.slice(0, this.#seen)
    fence.pieces = [...fence.pieces, piece]
    this.#tail = this.#tail.slice(piece.length)
    this.#seen = 0
  }

  #closeCode(fence: OpenFence): void {
    const body = this.#tail.slice(0, this.#seen)
    this.#settled = [...this.#settled, (fence.opening + fence.pieces.join('') + body).trimEnd()]
    this.#tail = this.#tail.slice(body.length)
    this.#fence = undefined
    this.#seen = 0
    const lines = this.#tail.lastIndexOf('\n') + 1
    if (lines > 0) this.#settle(lines)
  }
}

/** CommonMark 0.31 §4.5: at least as many of the same mark, and nothing after them. */
function isClosingFence(line: string, mark: string): boolean {
  const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return closing !== undefined && closing.length >= mark.length && closing[0] === mark[0]
}

/** The first word of an info string. */
function languageOf(info: string): string {
  return info.trim().split(/\s/, 1)[0] ?? ''
}

/** A block that is fenced code: its language and its text. */
export function fencedCode(block: string): { readonly language: string; readonly text: string } | undefined {
  const opening = OPENING_FENCE.exec(`${block}\n`)
  if (!opening) return undefined
  const [line, mark = '', info = ''] = opening
  if (mark.startsWith('`') && info.includes('`')) return undefined
  const body = block.slice(line.length)
  const last = body.lastIndexOf('\n') + 1
  return {
    language: languageOf(info),
    text: isClosingFence(body.slice(last), mark) ? body.slice(0, last) : body,
  }
}
