/** Characters of the longest formula that is drawn. */
export const MAX_FORMULA = 4000
/** Formulas of one block that are drawn; what comes after them stays the text that it is. */
const MAX_FORMULAS = 200

const CLOSING: Readonly<Record<string, string>> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' }
const OPENING_LINE = /^ {0,3}(\$\$|\\\[)/

/** The display formula that a source begins with, as a block of its own; what is open counts only while the text grows. */
export function blockOfMath(source: string, text: 'whole' | 'growing'): string | undefined {
  const opening = OPENING_LINE.exec(source)
  if (!opening) return undefined
  const start = opening[0].length
  const close = CLOSING[opening[1] ?? ''] ?? ''
  const end = source.slice(start, start + MAX_FORMULA + close.length).indexOf(close)
  if (end === -1) return text === 'growing' && source.length <= start + MAX_FORMULA ? source : undefined
  const after = /^[ \t]*(?:\n+|$)/.exec(source.slice(start + end + close.length))
  return after && source.slice(start, start + end).trim() !== ''
    ? source.slice(0, start + end + close.length + after[0].length)
    : undefined
}

/** A block that is a display formula and nothing else; `closed` where its end has come. */
export function displayFormula(
  block: string,
): { readonly tex: string; readonly closed: boolean } | undefined {
  const raw = blockOfMath(block, 'growing')
  if (raw === undefined || raw.trim() !== block.trim()) return undefined
  const text = raw.trim()
  const close = CLOSING[text.slice(0, 2)] ?? ''
  const closed = text.length > 4 && text.endsWith(close)
  return { tex: text.slice(2, closed ? -2 : undefined).trim(), closed }
}

/** In front of the formula in a code span; of the private use area, and no more than a formula to whoever writes it too. */
const MARK = { inline: '\uE000', display: '\uE001' }

/** What `markMath` made of a formula, read back from the code span. */
export function markedFormula(code: string): { readonly tex: string; readonly display: boolean } | undefined {
  const display = code.startsWith(MARK.display)
  return display || code.startsWith(MARK.inline) ? { tex: code.slice(1), display } : undefined
}

const FENCE_LINE = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})/
const DISPLAY_LINE = /^([ \t>]*)(\$\$|\\\[)/
const TABLE_LINE = /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\||$)/

/**
 * A block with its formulas as code, because Markdown would read what is in them: `$a_1 * b_1$` has no emphasis. Inline they
 * become code spans, on lines of their own fenced blocks. Dollars that are money stay what they are: as in Pandoc, a formula
 * has no space inside its dollars, and neither letter nor digit outside.
 */
export function markMath(block: string): string {
  if (!/\$|\\[([]/.test(block) || /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/.test(block)) return block
  return new MathMarker(block).marked()
}

class MathMarker {
  readonly #text: string
  readonly #table: boolean
  readonly #out: string[] = []
  #at = 0
  #copied = 0
  #found = 0
  /** The next dollar that can close, and for which openings: looked for once, however many there are. */
  #closer = { from: 0, until: -1, at: -1 }
  /** Lengths of runs of backticks that nothing closes any more. */
  readonly #unclosed = new Set<number>()
  /** Closings that do not come any more. */
  readonly #missing = new Set<string>()

  constructor(text: string) {
    this.#text = text
    this.#table = text.includes('|') && TABLE_LINE.test(text.split('\n', 2)[1] ?? '')
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
    else if (sign === '\\') this.#escaped()
    else if (sign === '$') this.#dollar()
    else this.#at++
  }

  /** What a line can begin with: a fence, whose text is nobody's formula, or a display formula inside a list or a quotation. */
  #line(): void {
    const line = this.#text.slice(this.#at, this.#endOfLine(this.#at))
    const fence = FENCE_LINE.exec(line)?.[1]
    if (fence !== undefined) return this.#skipFence(fence)
    const display = DISPLAY_LINE.exec(line)
    const [, prefix = '', opening = ''] = display ?? []
    if (display) this.#displayLines(prefix, opening)
  }

  #displayLines(prefix: string, opening: string): void {
    const start = this.#at + prefix.length + 2
    const close = this.#find(CLOSING[opening] ?? '', start)
    if (close === -1 || this.#text.slice(close + 2, this.#endOfLine(close)).trim() !== '') return
    const lines = this.#text.slice(start, close).split('\n')
    // Each line keeps its own prefix, and the first has the opening's.
    const body = lines
      .map((line, index) => (index === 0 ? prefix + line.trim() : line))
      .filter((line) => line.replace(/[\s>]/g, '') !== '')
    if (body.length === 0) return
    const fence = fenceFor(body.join('\n'), 3)
    this.#replace(close + 2, [`${prefix}${fence}math`, ...body, `${prefix}${fence}`].join('\n'))
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
    this.#at = end ? end.index + ticks.length : this.#at + ticks.length
  }

  #escaped(): void {
    const opening = this.#text.slice(this.#at, this.#at + 2)
    const close =
      opening === '\\(' || opening === '\\[' ? this.#find(CLOSING[opening] ?? '', this.#at + 2) : -1
    if (close === -1) this.#at += 2
    else this.#formula(this.#at + 2, close, 2, opening === '\\[')
  }

  #dollar(): void {
    if (this.#text.startsWith('$$', this.#at)) {
      const close = this.#find('$$', this.#at + 2)
      if (close !== -1) return this.#formula(this.#at + 2, close, 2, true)
      this.#at += 2
      return
    }
    const before = this.#text[this.#at - 1] ?? ' '
    const after = this.#text[this.#at + 1] ?? ' '
    if (!/[\s([{"'“‘«*_|,;:>~–—-]/.test(before) || /\s/.test(after)) {
      this.#at++
      return
    }
    const close = this.#nextCloser(this.#at + 2)
    if (close === -1 || close - this.#at > MAX_FORMULA) this.#at++
    else this.#formula(this.#at + 1, close, 1, false)
  }

  #nextCloser(from: number): number {
    if (from >= this.#closer.from && from <= this.#closer.until) return this.#closer.at
    const closer = /(?<![\s\\$])\$(?![\p{L}\p{N}$])|\n[ \t]*\n/gu
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

  #formula(start: number, end: number, close: number, display: boolean): void {
    const source = this.#text.slice(start, end).replaceAll('\n', ' ').trim()
    // In a table's row a bar ends the cell, also in code, unless it is escaped.
    const tex = this.#table ? source.replaceAll(/(?<!\\)\|/g, '\\|') : source
    const ticks = fenceFor(tex, 1)
    this.#replace(
      end + close,
      `${ticks}${display ? MARK.display : MARK.inline}${tex}${tex.endsWith('`') ? ' ' : ''}${ticks}`,
    )
  }

  #replace(end: number, by: string): void {
    this.#out.push(this.#text.slice(this.#copied, this.#at), by)
    this.#at = end
    this.#copied = end
    this.#found++
  }

  #endOfLine(from: number): number {
    const end = this.#text.indexOf('\n', from)
    return end === -1 ? this.#text.length : end
  }
}

/** Backticks that nothing in the text can close. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  return '`'.repeat(Math.max(least, longest + 1))
}
