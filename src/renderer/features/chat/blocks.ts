import type { Token, Tokens } from 'marked'
import { topLevel } from './block-lexer.ts'
import { FenceEnd, fenceOf, isFenced, type Fence } from './fences.ts'
import { imageBlock, imageIn } from './data-image.ts'
import { withoutComment } from './html-comment.ts'
import { footnotesOf, type Footnote } from './footnote-source.ts'

/** Most characters of the definitions that are repeated in each block that may use them. */
const MAX_DEFINITIONS = 4000

/** A finished text. */
export interface FinishedText {
  readonly blocks: readonly string[]
  readonly notes: readonly Footnote[]
}

/**
 * Splits a finished Markdown text into top-level blocks, which are rendered separately, and its footnotes. Every block
 * that may refer to link definitions gets a copy of them, because it is rendered without the other blocks.
 */
export function splitText(markdown: string): FinishedText {
  const tokens = topLevel(readable(markdown.replaceAll('\r\n', '\n')), 'whole')
  const { notes, rest } = footnotesOf(tokens)
  const definitions = rest
    .filter(({ type }) => type === 'def')
    .map(({ raw }) => raw.trim())
    .join('\n')
    .slice(0, MAX_DEFINITIONS)
  const references = [
    ...(definitions === '' ? [] : [definitions]),
    ...notes.map(({ label }) => `[^${label}]: .`),
  ].join('\n\n')
  const blocks = rest.filter(isBlock).flatMap(piecesOf)
  return {
    notes,
    blocks:
      references === ''
        ? blocks
        : blocks.map((block) =>
            isFenced(block) || imageBlock(block) || !block.includes('[')
              ? block
              : `${block}\n\n${references}`,
          ),
  }
}

const FRONT_LINES = '[\\w-]{1,60}:[^\\n]*\\n(?:(?:[\\w-]{1,60}:|[ \\t]|- )[^\\n]*\\n)*'
const FRONT_MATTER = new RegExp(`^---\\n(${FRONT_LINES})---[ \\t]*(?:\\n|$)`)
/** Front matter whose end hasn't arrived. */
const FRONT_BEGUN = new RegExp(`^---\\n${FRONT_LINES}$`)

/** Turns YAML front matter into a code block. */
function withFrontMatter(text: string): string {
  return text.replace(FRONT_MATTER, '```yaml\n$1```\n')
}

const MAX_JSON = 100_000

/** Turns a text that is only JSON into a code block, because stars and underscores have no meaning in JSON. */
function readable(written: string): string {
  const text = withFrontMatter(written)
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text) || text.length > MAX_JSON) return text
  try {
    JSON.parse(text)
    return ['```json', text.trim(), '```'].join('\n')
  } catch {
    return text
  }
}

export function splitBlocks(markdown: string): readonly string[] {
  return splitText(markdown).blocks
}

/**
 * Most items of a list in one block. A longer list becomes several blocks, so that writing its end costs no more than
 * its middle.
 */
const LIST_ITEMS = 24
/** Most characters of a list in one block, unless the block has a single item. */
const LIST_LENGTH = 4000

/** Most characters of a block. Anything longer becomes several blocks, except fenced code. */
const MAX_BLOCK = 8000

/**
 * A token as one block. A long list becomes several blocks that continue its numbering. Blocks end without blank lines.
 */
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

/** How many of the list's items form its next block. */
function itemsOfPiece(items: readonly Tokens.ListItem[]): number {
  let length = 0
  const over = items.slice(0, LIST_ITEMS).findIndex(({ raw }) => (length += raw.length) > LIST_LENGTH)
  return over === -1 ? Math.min(items.length, LIST_ITEMS) : Math.max(over, 1)
}

function shortened(source: string): string[] {
  const pieces: string[] = []
  let rest = source
  while (rest.length > MAX_BLOCK && !isFenced(rest)) {
    const cut = cutImage(rest) ?? cutLong(rest)
    pieces.push(cut.head.trimEnd())
    rest = cut.rest
  }
  return [...pieces, rest.trimEnd()].filter((piece) => piece !== '')
}

interface Cut {
  readonly head: string
  readonly rest: string
}

/**
 * Cuts a block that is too long before its first picture, or after the picture if the block starts with it. Undefined
 * if the picture hasn't arrived whole.
 */
function cutImage(source: string): Cut | undefined {
  const image = imageIn(source)
  if (!image || image.from > MAX_BLOCK) return undefined
  const at = image.from === 0 ? image.to : image.from
  return at === undefined ? undefined : { head: source.slice(0, at), rest: source.slice(at) }
}

const TABLE_HEAD = /^[^\n]{1,1000}\n {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t:|-]*)?\n/

/** Cuts a block that is too long at a line, or else at a word. The rest of a table repeats the table's head. */
function cutLong(source: string): Cut {
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

function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === 'list'
}

function rawOf(tokens: readonly { readonly raw: string }[]): string {
  return tokens.map(({ raw }) => raw).join('')
}

/** Part of a numbered list, starting with the number that its first item has in the whole list. */
function countFrom({ ordered, start }: Tokens.List, index: number, source: string): string {
  return ordered && index > 0 ? source.replace(/\d{1,9}/, String(Number(start) + index)) : source
}

/** Blocks that a blank line always ends. A list, a note and anything like HTML may continue after a blank line. */
const ENDED_BY_BLANK = ['paragraph', 'heading', 'table', 'hr']

/** Whether later text can't change the last block of these whole lines. True if it ended and no other block began. */
function isEnded(tokens: readonly Token[], last: number): boolean {
  const block = tokens[last]
  return (
    block !== undefined &&
    ENDED_BY_BLANK.includes(block.type) &&
    /\n[ \t]*\n$/.test(rawOf(tokens.slice(last)))
  )
}

function isBlock({ type, raw }: Token): boolean {
  return type !== 'space' && type !== 'def' && !(type === 'html' && withoutComment(raw) === '')
}

/** Lines of an open code block that are settled together. */
const PIECE_LINES = 48

/** A code block whose end hasn't arrived: pieces that no longer change, and a last one that does. */
export interface UnclosedCode {
  readonly language: string
  readonly pieces: readonly string[]
  readonly last: string
}

/** The parts of an arriving text that can be shown. */
export interface GrowingBlocks {
  /** Blocks that later text can't change. The array keeps its identity until a block is added. */
  readonly settled: readonly string[]
  /** The text after the settled blocks. */
  readonly tail: string
  /** The open code block at the end of the tail, if any. `tail` is then the text before it. */
  readonly code: UnclosedCode | undefined
  /** Of a finished text. */
  readonly notes?: readonly Footnote[]
}

interface UnclosedFence {
  readonly fence: Fence
  readonly end: FenceEnd
  pieces: readonly string[]
}

/**
 * Splits a text while it arrives. The cost of one addition depends on the block being written, not on the text before
 * it: only whole lines of the last block are parsed, and those of an open code block only once.
 */
export class BlockGrowth {
  #settled: readonly string[] = []
  /** From the first block that is not settled, without an open code block's settled pieces. */
  #tail = ''
  #fence: UnclosedFence | undefined
  /** Characters of the tail that were parsed, as whole lines. */
  #seen = 0
  #carriage = ''

  add(text: string): void {
    // A line feed may arrive later than its carriage return.
    const whole = this.#carriage + text
    this.#carriage = whole.endsWith('\r') ? '\r' : ''
    this.#tail += whole.slice(0, whole.length - this.#carriage.length).replaceAll('\r\n', '\n')
    const lines = this.#tail.lastIndexOf('\n') + 1
    if (lines > this.#seen) {
      if (this.#fence) this.#growCode()
      else this.#settle(lines)
    }
    this.#cutTail()
  }

  get state(): GrowingBlocks {
    const code = this.#fence && {
      language: this.#fence.fence.language,
      pieces: this.#fence.pieces,
      last: this.#tail,
    }
    const image = code ? undefined : imageIn(this.#tail)
    // A picture is shown when it is complete.
    const tail = image && image.to === undefined ? this.#tail.slice(0, image.from) : this.#tail
    return { settled: this.#settled, tail: code ? '' : tail, code }
  }

  #settle(lines: number): void {
    this.#seen = lines
    if (this.#settled.length === 0) {
      if (FRONT_BEGUN.test(this.#tail.slice(0, lines))) return
      const tail = withFrontMatter(this.#tail)
      if (tail !== this.#tail) {
        this.#tail = tail
        lines = tail.lastIndexOf('\n') + 1
        this.#seen = lines
      }
    }
    const tokens = topLevel(this.#tail.slice(0, lines), 'growing')
    const last = tokens.findLastIndex(({ type }) => type !== 'space')
    const done = isEnded(tokens, last) ? tokens : tokens.slice(0, Math.max(last, 0))
    this.#cut(rawOf(done), done.filter(isBlock).flatMap(piecesOf))
    if (done !== tokens) this.#cutList(tokens[last])
    this.#openFence()
  }

  /** Settles the first items of a long list that is being written. The rest continues the numbering. */
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

  /**
   * Settles the beginning of a block that is longer than allowed. Open code blocks are exempt, because code is plain
   * text.
   */
  #cutTail(): void {
    while (!this.#fence && this.#tail.length > MAX_BLOCK) {
      const cut = cutImage(this.#tail)
      if (!cut && imageIn(this.#tail)?.from === 0) return
      const { head, rest } = cut ?? cutLong(this.#tail)
      this.#settled = [...this.#settled, head.trimEnd()].filter((block) => block !== '')
      this.#seen = Math.max(this.#seen + rest.length - this.#tail.length, 0)
      this.#tail = rest
    }
  }

  /** Settles the beginning of the tail. Cuts nothing if the lexer's text differs from the tail. */
  #cut(head: string, blocks: readonly string[]): boolean {
    if (head === '' || !this.#tail.startsWith(head)) return false
    this.#settled = [...this.#settled, ...blocks]
    this.#tail = this.#tail.slice(head.length)
    this.#seen = Math.max(this.#seen - head.length, 0)
    return true
  }

  #openFence(): void {
    const fence = fenceOf(this.#tail)
    if (!fence) return
    this.#fence = { fence, end: new FenceEnd(fence), pieces: [] }
    this.#tail = this.#tail.slice(fence.opening.length)
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
      if (fence.end.closes(line)) return this.#closeCode(fence)
    }
    const lines = this.#tail.slice(0, this.#seen).split('\n')
    if (lines.length <= PIECE_LINES) return
    const piece = this.#tail.slice(0, this.#seen)
    fence.pieces = [...fence.pieces, piece]
    this.#tail = this.#tail.slice(piece.length)
    this.#seen = 0
  }

  #closeCode({ fence, pieces }: UnclosedFence): void {
    const body = this.#tail.slice(0, this.#seen)
    this.#settled = [...this.#settled, (fence.opening + pieces.join('') + body).trimEnd()]
    this.#tail = this.#tail.slice(body.length)
    this.#fence = undefined
    this.#seen = 0
    const lines = this.#tail.lastIndexOf('\n') + 1
    if (lines > 0) this.#settle(lines)
  }
}
