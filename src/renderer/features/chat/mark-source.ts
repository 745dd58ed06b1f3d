import { isWide } from './literal-address.ts'
import { DISPLAY_LINE, MAX_FORMULA, closingOf, markFormula, texOf } from './math-source.ts'

/** Most formulas of one block that are drawn. Later ones stay plain text. */
const MAX_FORMULAS = 200

const FENCE_LINE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/
const TABLE_LINE = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\||$)/

/**
 * A block with its formulas as code, because Markdown would interpret their content: `$a_1 * b_1$` has no emphasis. Inline they
 * become code spans, on lines of their own fenced blocks. Dollars that are money stay what they are. Also here: the
 * backslashes of Windows paths, bars in the code of a table's cell, and headings without a space.
 */
export function markSource(block: string): string {
  if (!/[$\\|]|^##|^ {0,3}#\u3000/m.test(block) || /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/.test(block))
    return block
  return new SourceMarker(block).marked()
}

class SourceMarker {
  readonly #text: string
  /** Cells of a row, if the block is a table. */
  readonly #cells: number
  readonly #out: string[] = []
  #at = 0
  #copied = 0
  #found = 0
  /**
   * The next dollar that can close a formula, and the openings for which that holds. It is searched only once for all
   * of them.
   */
  #closer = { from: 0, until: -1, at: -1 }
  /** Lengths of runs of backticks that nothing closes any more. */
  readonly #unclosed = new Set<number>()
  /** Closings that do not come any more. */
  readonly #missing = new Set<string>()

  constructor(text: string) {
    this.#text = text
    const second = text.includes('|') ? (text.split('\n', 2)[1] ?? '') : ''
    this.#cells = TABLE_LINE.test(second) ? cellsIn(second) : 0
  }

  marked(): string {
    const text = this.#text
    while (this.#at < text.length && this.#found < MAX_FORMULAS) {
      if (this.#at === 0 || text[this.#at - 1] === '\n') this.#line()
      const next = /[\n`\\$]/g
      next.lastIndex = this.#at
      const found = next.exec(text)
      if (!found) break
      this.#at = found.index
      this.#sign(found[0])
    }
    return this.#out.join('') + text.slice(this.#copied)
  }

  #sign(sign: string): void {
    if (sign === '`') this.#skipCode()
    else if (sign === '\\') this.#backslash()
    else if (sign === '$') this.#dollar()
    else this.#at++
  }

  /**
   * The start of a line: a fence, whose text contains no formulas, or a display formula inside a list or a quotation.
   */
  #line(): void {
    const line = this.#text.slice(this.#at, this.#endOfLine(this.#at))
    const fence = FENCE_LINE.exec(line)?.[1]
    if (fence !== undefined) return this.#skipFence(fence)
    // A full-width space is one, too.
    const heading = /^ {0,3}(?:#{2,6}(?=[\p{L}\p{N}])|#{1,6}(?=\u3000))/u.exec(line)
    if (heading) return this.#write(this.#at + heading[0].length, `${heading[0]} `)
    const display = DISPLAY_LINE.exec(line)
    const [, prefix = '', opening = ''] = display ?? []
    if (display) this.#displayLines(prefix, opening)
  }

  #displayLines(prefix: string, opening: string): void {
    const start = this.#at + prefix.length + opening.length
    const end = closingOf(opening)
    const close = this.#find(end, start)
    if (close === -1 || this.#text.slice(close + end.length, this.#endOfLine(close)).trim() !== '') return
    const lines = texOf(opening, this.#text.slice(start, close), end).split('\n')
    // Each line keeps its own prefix, and the first has the opening's.
    const body = lines
      .map((line, index) => (index === 0 ? prefix + line.trim() : line))
      .filter((line) => line.replace(/[\s>]/g, '') !== '')
    if (body.length === 0) return
    const fence = fenceFor(body.join('\n'), 3)
    this.#replace(close + end.length, [`${prefix}${fence}math`, ...body, `${prefix}${fence}`].join('\n'))
  }

  #skipFence(fence: string): void {
    const close = new RegExp(
      `\\n[ \\t>]*${fence[0] === '~' ? '~' : '`'}{${String(fence.length)},}[ \\t]*(?=\\n|$)`,
      'g',
    )
    close.lastIndex = this.#at
    const end = close.exec(this.#text)
    this.#at = end ? end.index + end[0].length : this.#text.length
  }

  #skipCode(): void {
    const run = /`+/y
    run.lastIndex = this.#at
    const ticks = run.exec(this.#text)?.[0] ?? '`'
    const close = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g')
    close.lastIndex = this.#at + ticks.length
    const end = this.#unclosed.has(ticks.length) ? null : close.exec(this.#text)
    if (!end) this.#unclosed.add(ticks.length)
    const after = end ? end.index + ticks.length : this.#at + ticks.length
    const code = this.#text.slice(this.#at, after)
    // In a table row, an unescaped bar ends the cell even in code. Most models don't know that.
    if (this.#cells > 0 && /(?<!\\)\|/.test(code) && !code.includes('\n') && this.#hasMoreCells())
      this.#write(after, code.replaceAll(/(?<!\\)\|/g, '\\|'))
    else this.#at = after
  }

  #hasMoreCells(): boolean {
    const start = this.#text.lastIndexOf('\n', this.#at) + 1
    return cellsIn(this.#text.slice(start, this.#endOfLine(this.#at))) > this.#cells
  }

  #backslash(): void {
    if (this.#path()) return
    const [, chemistry] = /^\\(ce|pu)\{/.exec(this.#text.slice(this.#at, this.#at + 4)) ?? []
    const environment = new RegExp(DISPLAY_LINE.source.replace('([ \\t>]*)', '()')).exec(
      this.#text.slice(this.#at, this.#at + 24),
    )?.[2]
    if (chemistry !== undefined) this.#chemistry()
    else if (environment?.startsWith('\\begin')) this.#delimited(environment, false)
    else {
      const opening = this.#text.slice(this.#at, this.#at + 2)
      if (opening === '\\(' || opening === '\\[') this.#delimited(opening, opening === '\\[')
      else this.#at += 2
    }
  }

  #delimited(opening: string, display: boolean): void {
    const close = closingOf(opening)
    const from = this.#at + opening.length
    const end = /[a-z0-9]/i.test(this.#text[this.#at - 1] ?? '') ? -1 : this.#find(close, from)
    const inside = this.#text.slice(from, end)
    if (end === -1) this.#at += 2
    // The backslashes are part of it.
    else if (isRegularExpression(opening, inside))
      this.#write(end + 2, `\\${opening}${inside.replaceAll('\\', '\\\\')}\\${close}`)
    else this.#formula(texOf(opening, inside, close), end + close.length, display)
  }

  /** A Windows path keeps its backslashes, and what follows them has no meaning. */
  #path(): boolean {
    const before = this.#text.slice(Math.max(0, this.#at - 3), this.#at)
    const rest = this.#text.slice(this.#at, this.#at + MAX_PATH)
    const drive = /(?:^|[^a-z0-9])[a-z]:$/i.test(before) && /^\\[^\s\\]/.test(rest)
    const share = /(?:^|[\s("'])$/.test(before) && /^\\\\(?:[\w.-]+|[?.])\\[^\s\\]/.test(rest)
    if (!drive && !share) return false
    const path = PATH.exec(rest)?.[0] ?? ''
    this.#write(this.#at + path.length, path.replaceAll(/[\\_~$[\]()]/g, '\\$&'))
    return true
  }

  #chemistry(): void {
    const start = this.#at + 4
    let depth = 1
    const braces = /[{}\n]/g
    braces.lastIndex = start
    for (let brace = braces.exec(this.#text); brace && brace[0] !== '\n'; brace = braces.exec(this.#text)) {
      depth += brace[0] === '{' ? 1 : -1
      if (brace.index - start > MAX_FORMULA) break
      if (depth > 0) continue
      return this.#formula(this.#text.slice(this.#at, brace.index + 1), brace.index + 1, false)
    }
    this.#at += 4
  }

  #dollar(): void {
    if (this.#text.startsWith('$$', this.#at)) {
      const close = this.#find('$$', this.#at + 2)
      if (close !== -1) return this.#formula(this.#text.slice(this.#at + 2, close), close + 2, true)
      this.#at += 2
      return
    }
    const affix = this.#affix()
    if (affix !== undefined) return this.#formula(affix, this.#at + affix.length + 2, false)
    const before = this.#text[this.#at - 1] ?? ' '
    if (!/[\s([{"'“‘«*_|,;:>~–—-]/.test(before) && !isWide(before.charCodeAt(0))) {
      this.#at++
      return
    }
    const spaced = this.#spaced()
    if (spaced !== undefined) return this.#formula(spaced, this.#at + spaced.length + 2, false)
    const close = /\s/.test(this.#text[this.#at + 1] ?? ' ') ? -1 : this.#nextCloser(this.#at + 2)
    const inside = this.#text.slice(this.#at + 1, close)
    if (close === -1 || close - this.#at > MAX_FORMULA || isMoney(inside) || this.#leavesRow(inside))
      // The underscore is part of a name such as `$_GET`, and no emphasis.
      if (this.#text[this.#at + 1] === '_') this.#write(this.#at + 2, '$\\_')
      else this.#at++
    else this.#formula(inside, close + 1, false)
  }

  /** A formula that is part of a word: an index or exponent such as in `H$_2$O`, or a number such as in `$n$th`. */
  #affix(): string | undefined {
    const before = this.#text[this.#at - 1] ?? ' '
    const line = this.#text.slice(this.#at, Math.min(this.#endOfLine(this.#at), this.#at + MAX_AFFIX))
    if (/[\p{L}\p{N})\]]/u.test(before)) return INDEX.exec(line)?.[1]
    return /[\s(]/.test(before) ? ORDINAL.exec(line)?.[1] : undefined
  }

  /** Some models write `$ x $`. Money and shell variables have no operator, command or single letter between such dollars. */
  #spaced(): string | undefined {
    const line = this.#text.slice(this.#at + 1, Math.min(this.#endOfLine(this.#at), this.#at + MAX_SPACED))
    const [, inside = ''] = /^([ \t][^$]*[ \t])\$(?![\p{L}\p{N}$])/u.exec(line) ?? []
    const tex = inside.trim()
    const isFormula =
      /^[a-z]$/i.test(tex) ||
      (/\\[a-z]+|[=^_<>]|[a-z0-9)}]\s*[+*/-]\s*[a-z0-9({\\]/i.test(tex) && !isMoney(tex))
    return isFormula ? inside : undefined
  }

  #leavesRow(inside: string): boolean {
    return this.#cells > 0 && inside.includes('\n')
  }

  #nextCloser(from: number): number {
    if (from >= this.#closer.from && from <= this.#closer.until) return this.#closer.at
    const closer = /(?<![\s\\$])\$(?![0-9$]|[^\P{L}\u2000-\u{10FFFF}])|\n[ \t]*\n/gu
    closer.lastIndex = from
    const found = closer.exec(this.#text)
    const at = found?.[0] === '$' ? found.index : -1
    this.#closer = { from, until: found?.index ?? this.#text.length, at }
    return at
  }

  /** Within the longest formula and the paragraph. */
  #find(close: string, from: number): number {
    if (this.#missing.has(close)) return -1
    if (!this.#text.includes(close, from)) this.#missing.add(close)
    const within = this.#text.slice(from, from + MAX_FORMULA + close.length)
    const end = within.indexOf(close)
    return end === -1 || /\n[ \t]*\n/.test(within.slice(0, end)) || within.slice(0, end).trim() === ''
      ? -1
      : from + end
  }

  #formula(written: string, end: number, wantsDisplay: boolean): void {
    const source = written.replaceAll('\n', ' ').trim()
    const display = wantsDisplay || (source.startsWith('\\begin{') && !INLINE_ENVIRONMENT.test(source))
    const tex = this.#cells > 0 ? source.replaceAll(/(?<!\\)\|/g, '\\|') : source
    const ticks = fenceFor(tex, 1)
    this.#replace(end, `${ticks}${markFormula(tex, display)}${tex.endsWith('`') ? ' ' : ''}${ticks}`)
  }

  #replace(end: number, by: string): void {
    this.#write(end, by)
    this.#found++
  }

  #write(end: number, by: string): void {
    this.#out.push(this.#text.slice(this.#copied, this.#at), by)
    this.#at = end
    this.#copied = end
  }

  #endOfLine(from: number): number {
    const end = this.#text.indexOf('\n', from)
    return end === -1 ? this.#text.length : end
  }
}

/** The environments that LaTeX has inside a line. The others are displayed. */
const INLINE_ENVIRONMENT = /^\\begin\{(?:aligned|gathered|split|cases|array|[bBpvV]?matrix)\}/

const MAX_PATH = 1000
/** Folders may have spaces in their names, of which the last word is next to a backslash. */
const PATH =
  /^[^\s`|<>"*?\p{scx=Han}\u3000-\u303F\uFF00-\uFFEF]+(?:(?: [\w().&-]{1,40}){1,4}\\[^\s`|<>"*?\p{scx=Han}\u3000-\u303F\uFF00-\uFFEF]*)*/u
const MAX_SPACED = 400
const MAX_AFFIX = 80
const INDEX = /^\$((?:[_^](?:\{[^{}$]{1,60}\}|[-+]?[a-z0-9]{1,3})){1,2})\$/i
/** An upper-case word between the dollars is a shell variable. */
const ORDINAL = /^\$(?![A-Z_]{2})([^\s$]{1,40})\$(?=(?:th|st|nd|rd|s)\b)/

/** A group, a choice of words or a class of characters, as programs such as `grep` write them. */
function isRegularExpression(opening: string, inside: string): boolean {
  return opening === '\\('
    ? /^\w{2,}(?:\\\|\w{2,})+$/.test(inside) || /^[a-z]{4,}$/i.test(inside)
    : /^\^?(?:a-z|A-Z|a-f|A-F|0-9|[_.-]){1,9}$/.test(inside) || /^[a-z]{4,}$/i.test(inside)
}

/** An amount or a shell variable, and words up to the next dollar. */
function isMoney(inside: string): boolean {
  // A formula has no dollar, so this one begins the real formula, or another amount.
  if (/(?<!\\)\$/.test(inside)) return true
  // A price for a unit, such as `$5/1K tokens`.
  if (/^\d/.test(inside) && /[a-z]{4}/i.test(inside) && !/[\\=^_{}]/.test(inside)) return true
  if (!/^\s*(?:\d|[A-Z_]{2,}\b|\w+["'])/.test(inside)) return false
  return /[a-z]{2}[,.;:"')]{0,3}\s["'(]{0,2}[a-z]{2}|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\uFF00-\uFFEF]/iu.test(
    inside.replaceAll(/\\[a-z]{1,30}(?:\{[^{}]{0,200}\})?/gi, ''),
  )
}

/** Cells of a row, by its bars. */
function cellsIn(row: string): number {
  const inside = row.trim().replace(/^\|/, '').replace(/\|$/, '')
  return inside.split(/(?<!\\)\|/).length
}

/** Backticks that nothing in the text can close. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(Math.max(least, longest + 1))
}
