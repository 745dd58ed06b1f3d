import { blockOfHtml } from './html-block.ts'

const MAX_SPAN = 20
const TAGS = /<(\/?)(table|thead|tbody|tfoot|tr|th|td|caption|colgroup|col)(\s[^<>]{0,300})?>/gi

/** A block that is an HTML table, as a table of Markdown. The markup in its cells stays, and is read like any other. */
export function markdownOfTable(block: string): string | undefined {
  const table = blockOfHtml(block, 'growing')
  if (table === undefined) return undefined
  const { caption, rows, hasHead } = readTable(table)
  const width = Math.max(0, ...rows.map(({ length }) => length))
  if (width === 0) return undefined
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`
  const body = hasHead ? rows.slice(1) : rows
  const lines = [line(hasHead ? (rows[0] ?? []) : []), line(Array.from({ length: width }, () => '---'))]
  // Definitions of links and notes follow the table.
  const after = block.slice(table.length).trim()
  return [caption, [...lines, ...body.map(line)].join('\n'), after].filter((part) => part !== '').join('\n\n')
}

interface Table {
  readonly caption: string
  readonly rows: readonly (readonly string[])[]
  /** The first row has the names of the columns. */
  readonly hasHead: boolean
}

function readTable(table: string): Table {
  const rows: string[][] = []
  /** The columns that cells of earlier rows extend into, and for how many rows. */
  const spans: number[] = []
  let caption = ''
  let hasHead = false
  let begun: { readonly tag: string; readonly from: number; readonly attributes: string } | undefined
  const end = (at: number) => {
    if (!begun) return
    const text = inOneLine(table.slice(begun.from, at))
    if (begun.tag === 'caption') caption = text
    else addCell(rows, spans, text, begun.attributes)
    if (begun.tag === 'th' && rows.length <= 1) hasHead = true
    begun = undefined
  }
  for (const { 0: whole, 1: closing, 2: name = '', 3: attributes = '', index } of table.matchAll(TAGS)) {
    const tag = name.toLowerCase()
    end(index)
    if (closing === '/') continue
    if (tag === 'tr') rows.push([])
    if (tag === 'td' || tag === 'th' || tag === 'caption')
      begun = { tag, from: index + whole.length, attributes }
  }
  end(table.length)
  return { caption, rows: rows.filter(({ length }) => length > 0), hasHead }
}

function addCell(rows: string[][], spans: number[], text: string, attributes: string): void {
  const row = rows.at(-1) ?? rows[rows.push([]) - 1]
  if (!row) return
  for (let left = spans[row.length] ?? 0; left > 0; left = spans[row.length] ?? 0) {
    spans[row.length] = left - 1
    row.push('')
  }
  const tall = spanOf(attributes, 'rowspan') - 1
  for (let column = spanOf(attributes, 'colspan'), cell = text; column > 0; column -= 1, cell = '') {
    if (tall > 0) spans[row.length] = tall
    row.push(cell)
  }
}

function spanOf(attributes: string, name: 'colspan' | 'rowspan'): number {
  const value = new RegExp(`\\s${name}=["']?(\\d{1,3})`, 'i').exec(attributes)?.[1]
  return Math.min(MAX_SPAN, Math.max(1, Number(value ?? 1)))
}

/** A row of Markdown is one line, and a bar in a cell would end it. */
function inOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll(/\\?\|/g, '\\|')
}
