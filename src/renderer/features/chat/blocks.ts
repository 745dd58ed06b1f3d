import { Lexer, type Token, type Tokens } from 'marked'

/**
 * The top-level blocks of a finished Markdown text, each to be rendered by itself. Link definitions are given to every
 * block that may refer to them, because a block is rendered without the others.
 */
export function splitBlocks(markdown: string): string[] {
  const tokens = lex(markdown.replaceAll('\r\n', '\n'))
  const definitions = tokens.filter(({ type }) => type === 'def').map(({ raw }) => raw.trim()).join('\n')
  const blocks = tokens.filter(isBlock).flatMap(piecesOf)
  return definitions === '' ? blocks : blocks.map((block) => (block.includes('[') ? `${block}\n\n${definitions}` : block))
}

/** Block structure alone: what is inside a block is parsed where it is rendered. */
function lex(markdown: string): Token[] {
  return new Lexer().blockTokens(markdown)
}

/** Items of a list that make one block: a longer list is several, so that writing its end costs no more than its middle. */
const LIST_ITEMS = 24

/** A token as one block, or a long list as several that go on counting. Blocks end without blank lines. */
function piecesOf(token: Token): string[] {
  if (!isList(token) || token.items.length <= LIST_ITEMS) return [token.raw.trimEnd()]
  const pieces: string[] = []
  for (let from = 0; from < token.items.length; from += LIST_ITEMS) {
    pieces.push(countFrom(token, from, rawOf(token.items.slice(from, from + LIST_ITEMS))).trimEnd())
  }
  return pieces
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
}

interface OpenFence {
  readonly mark: string
  /** The opening line as it is. */
  readonly opening: string
  readonly language: string
  pieces: readonly string[]
}

const OPENING_FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)\n/

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
    if (lines <= this.#seen) return
    if (this.#fence) this.#growCode()
    else this.#settle(lines)
  }

  get state(): GrowingBlocks {
    const code = this.#fence && { language: this.#fence.language, pieces: this.#fence.pieces, last: this.#tail }
    return { settled: this.#settled, tail: code ? '' : this.#tail, code }
  }

  #settle(lines: number): void {
    this.#seen = lines
    const tokens = lex(this.#tail.slice(0, lines))
    const last = tokens.findLastIndex(({ type }) => type !== 'space')
    const done = tokens.slice(0, Math.max(last, 0))
    this.#cut(rawOf(done), done.filter(isBlock).flatMap(piecesOf))
    this.#cutList(tokens[last])
    this.#openFence()
  }

  /** A list that is being written settles by so many items; what follows goes on counting. */
  #cutList(list: Token | undefined): void {
    if (!isList(list) || list.items.length <= LIST_ITEMS) return
    const head = rawOf(list.items.slice(0, LIST_ITEMS))
    if (!this.#cut(head, [head.trimEnd()])) return
    const rest = countFrom(list, LIST_ITEMS, this.#tail)
    this.#seen += rest.length - this.#tail.length
    this.#tail = rest
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
    for (let end = this.#tail.indexOf('\n', this.#seen); end !== -1; end = this.#tail.indexOf('\n', this.#seen)) {
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
export function languageOf(info: string): string {
  return info.trim().split(/\s/, 1)[0] ?? ''
}
