/** Addresses that a pasted link keeps. */
const SAFE_ADDRESS = /^(?:https?:|mailto:)/i
const MAX_ADDRESS = 2000

type End = () => void

interface Block {
  /** Before the first line, and before every other line. */
  readonly first: string
  readonly rest: string
}

/** Writes Markdown from a sequence of nested elements. Each method that begins an element returns the function that ends it. */
export class MarkdownWriter {
  #done = ''
  /** The parts of the line so far, without its prefix. Another line is another list. */
  #line: string[] = []
  /** Kinds of marks that are open. */
  readonly #open = new Set<string>()
  #wantsBlankLine = false
  #blocks: Block[] = []
  /** Blocks whose first line is written. */
  readonly #begun = new Set<Block>()
  #lists: { next: number | undefined }[] = []
  #cells: string[] | undefined
  #rows: string[][] | undefined
  #isCode = false

  text(text: string): void {
    if (this.#isCode) {
      const [head = '', ...lines] = text.split(/\r?\n/)
      this.#line.push(head)
      for (const line of lines) {
        this.#endLine(true)
        this.#line.push(line)
      }
      return
    }
    const plain = text.replaceAll(/[\s\u00a0]+/g, ' ')
    const last = this.#line.at(-1) ?? ' '
    const added = last.endsWith(' ') ? plain.replace(/^ /, '') : plain
    if (added !== '') this.#line.push(added)
  }

  lineBreak(): void {
    if (this.#cells) this.text(' ')
    else this.#endLine(this.#isCode)
  }

  rule(): void {
    this.#endBlock()
    this.#line = ['---']
    this.#endBlock()
  }

  block(): End {
    this.#endBlock()
    return () => this.#endBlock()
  }

  heading(level: number): End {
    this.#endBlock()
    if (!this.#cells) this.#line = [`${'#'.repeat(level)} `]
    return () => this.#endBlock()
  }

  /** Bold, italics, struck or code. */
  mark(mark: string): End {
    return this.#around(mark, (inline) => {
      const inner = inline.trim()
      if (inner === '') return inline
      const before = inline.slice(0, inline.length - inline.trimStart().length)
      return `${before}${mark}${inner}${mark}${inline.slice(inline.trimEnd().length)}`
    })
  }

  link(address = ''): End {
    const href = address.trim()
    if (!SAFE_ADDRESS.test(href) || href.length > MAX_ADDRESS) return () => undefined
    return this.#around('link', (inline) => {
      const inner = inline.trim()
      if (inner === '' || inner === href) return inline
      const target = encodeURI(decodeSafely(href)).replaceAll('(', '%28').replaceAll(')', '%29')
      return `[${inner.replaceAll(/[[\]]/g, String.raw`\$&`)}](${target})`
    })
  }

  /** Rewrites a part of a line. One that spans lines stays as it is, and so does one within another of its kind, which bounds the time. */
  #around(kind: string, rewrite: (inline: string) => string): End {
    if (this.#isCode || this.#open.has(kind)) return () => undefined
    this.#open.add(kind)
    const line = this.#line
    const at = line.length
    return () => {
      this.#open.delete(kind)
      if (this.#line === line) line.push(rewrite(line.splice(at).join('')))
    }
  }

  /** @param start of a numbered list */
  list(start?: number): End {
    if (this.#lists.length === 0) this.#endBlock()
    else this.#endLine()
    const first = start === undefined || Number.isSafeInteger(start) ? start : 1
    this.#lists.push({ next: first })
    return () => {
      this.#lists.pop()
      if (this.#lists.length === 0) this.#endBlock()
      else this.#endLine()
    }
  }

  item(): End {
    this.#endLine()
    const list = this.#lists.at(-1)
    const sign = list?.next === undefined ? '- ' : `${String(list.next++)}. `
    return this.#nest({ first: sign, rest: ' '.repeat(sign.length) }, () => this.#endLine())
  }

  quote(): End {
    this.#endBlock()
    return this.#nest({ first: '> ', rest: '> ' }, () => this.#endBlock())
  }

  code(): End {
    if (this.#isCode || this.#cells) return () => undefined
    this.#endBlock()
    this.#line = ['```']
    this.#endLine()
    this.#isCode = true
    return () => {
      if (this.#line.join('') !== '') this.#endLine(true)
      this.#isCode = false
      this.#line = ['```']
      this.#endBlock()
    }
  }

  table(): End {
    if (this.#rows) return () => undefined
    this.#endBlock()
    const rows: string[][] = []
    this.#rows = rows
    return () => {
      this.#rows = undefined
      const width = Math.max(0, ...rows.map(({ length }) => length))
      for (const [at, cells] of rows.entries()) {
        this.#line = [`| ${Array.from({ length: width }, (_, column) => cells[column] ?? '').join(' | ')} |`]
        this.#endLine()
        if (at > 0) continue
        this.#line = [`|${' --- |'.repeat(width)}`]
        this.#endLine()
      }
      this.#endBlock()
    }
  }

  row(): End {
    if (!this.#rows || this.#cells) return this.block()
    const cells: string[] = []
    this.#cells = cells
    return () => {
      this.#cells = undefined
      if (cells.length > 0) this.#rows?.push(cells)
    }
  }

  cell(): End {
    const cells = this.#cells
    if (!cells) return () => undefined
    const before = this.#line
    this.#line = []
    return () => {
      cells.push(
        this.#line
          .join('')
          .trim()
          .replaceAll('|', String.raw`\|`),
      )
      this.#line = before
    }
  }

  result(): string {
    this.#endLine()
    return this.#done.trim()
  }

  #nest(block: Block, end: End): End {
    this.#blocks.push(block)
    return () => {
      end()
      this.#blocks = this.#blocks.filter((open) => open !== block)
    }
  }

  #endBlock(): void {
    if (this.#cells) {
      this.text(' ')
      return
    }
    this.#endLine()
    this.#wantsBlankLine = true
  }

  /** @param empty whether an empty line is written too, as in code */
  #endLine(empty = false): void {
    if (this.#cells) return
    const written = this.#line.join('')
    const line = this.#isCode ? written : written.trim()
    this.#line = []
    if (line === '' && !empty) return
    const quotes = this.#blocks.map(({ first, rest }) => (first === '> ' ? first : rest)).join('')
    if (this.#wantsBlankLine && this.#done !== '') this.#done += `${quotes.trimEnd()}\n`
    this.#wantsBlankLine = false
    const prefix = this.#blocks.map((block) => (this.#begun.has(block) ? block.rest : block.first)).join('')
    for (const block of this.#blocks) this.#begun.add(block)
    this.#done += `${`${prefix}${line}`.trimEnd()}\n`
  }
}

function decodeSafely(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}
