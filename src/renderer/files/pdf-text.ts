/** A piece of text of a page, in points. The origin is at the bottom left. */
export interface PlacedText {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Line {
  readonly y: number
  readonly height: number
  readonly items: PlacedText[]
}

/** How far a piece may be above or below its line, as a fraction of the line's height. */
const BASELINE = 0.4
/** The gap that separates words, and the gap that separates the cells of a row, as fractions of the height. */
const WORD_GAP = 0.15
const CELL_GAP = 1.2
/** In points: cells of one column begin this near to each other. */
const COLUMN = 6

/**
 * The text of a page in reading order. The order of the page's content counts, unless it jumps back within a line or up within a
 * column. Rows of a table have a tab between their cells.
 */
export function layOutPage(items: readonly PlacedText[]): string {
  const placed = items.filter(({ text }) => text.trim() !== '')
  const lines = linesOf(placed)
  const ordered = isOrdered(lines) ? lines : linesOf(placed.toSorted(byPlace))
  return joinHyphens(writeLines(ordered)).trim()
}

/** Pieces one after another on the same baseline are a line. */
function linesOf(items: readonly PlacedText[]): readonly Line[] {
  const lines: Line[] = []
  for (const item of items) {
    const line = lines.at(-1)
    if (line && Math.abs(line.y - item.y) <= BASELINE * Math.max(line.height, item.height))
      line.items.push(item)
    else lines.push({ y: item.y, height: item.height, items: [item] })
  }
  return lines
}

function startOf({ items }: Line): number {
  return Math.min(...items.map(({ x }) => x))
}

function endOf({ items }: Line): number {
  return Math.max(...items.map(({ x, width }) => x + width))
}

function isOrdered(lines: readonly Line[]): boolean {
  let end = -Infinity
  return lines.every((line, at) => {
    const { items, y, height } = line
    const along = items.every((item, index) => item.x >= (items[index - 1]?.x ?? -Infinity) - height)
    const above = lines[at - 1]
    // Content may go on at the top of the next column, but not above within a column.
    const below = !above || y <= above.y + height * BASELINE || startOf(line) >= end - height
    end = below && above && y > above.y ? endOf(line) : Math.max(end, endOf(line))
    return along && below
  })
}

function byPlace(one: PlacedText, other: PlacedText): number {
  const near = BASELINE * Math.min(one.height, other.height)
  const row = (item: PlacedText) => Math.round(item.y / Math.max(near, 1))
  return row(other) - row(one) || one.x - other.x
}

function cellsOf({ items, height }: Line): readonly PlacedText[] {
  const cells: PlacedText[] = []
  for (const item of items) {
    const last = cells.at(-1)
    const gap = last ? item.x - last.x - last.width : Infinity
    if (last && gap <= CELL_GAP * height)
      cells[cells.length - 1] = {
        ...last,
        text: `${last.text}${gap > WORD_GAP * height && !/\s$/.test(last.text) ? ' ' : ''}${item.text}`,
        width: item.x + item.width - last.x,
      }
    else cells.push(item)
  }
  return cells
}

function writeLines(lines: readonly Line[]): string {
  const rows = lines.map((line) => ({ line, cells: cellsOf(line) }))
  const written: string[] = []
  for (let at = 0; at < rows.length;) {
    let end = at
    while ((rows[end]?.cells.length ?? 0) > 1) end += 1
    const table = rows.slice(at, end).map(({ cells }) => cells)
    const columns = columnsOf(table)
    if (table.length > 1 && columns) {
      for (const cells of table) written.push(columns.map((x) => textAt(cells, x)).join('\t'))
      at = end
      continue
    }
    written.push(joinLetters((rows[at]?.cells ?? []).map(({ text }) => text.trim()).join(' ')))
    at += 1
  }
  return written.join('\n')
}

/** Where the columns of a table begin. Undefined if the rows don't share them: then these are words with wide gaps. */
function columnsOf(table: readonly (readonly PlacedText[])[]): readonly number[] | undefined {
  const starts: number[] = []
  for (const { x } of table.flat()) if (!starts.some((start) => Math.abs(start - x) <= COLUMN)) starts.push(x)
  const widest = Math.max(0, ...table.map(({ length }) => length))
  return starts.length === widest ? starts.toSorted((a, b) => a - b) : undefined
}

function textAt(cells: readonly PlacedText[], column: number): string {
  return cells.find(({ x }) => Math.abs(x - column) <= COLUMN)?.text.trim() ?? ''
}

/** Letters that are placed one by one, as in spaced headings, are a word. */
function joinLetters(line: string): string {
  return line.replaceAll(/(?<![^\s])\p{L}(?: \p{Ll}){3,60}(?![^\s.,:;!?])/gu, (letters) =>
    letters.replaceAll(' ', ''),
  )
}

/** A word that is divided at the end of a line is one word again. */
function joinHyphens(text: string): string {
  return text.replaceAll(/(\p{L}{2})[-\u00ad\u2010]\n(\p{Ll})/gu, '$1$2')
}

interface PdfAnnotation {
  readonly subtype?: unknown
  readonly fieldType?: unknown
  readonly fieldName?: unknown
  readonly alternativeText?: unknown
  readonly fieldValue?: unknown
  readonly contentsObj?: unknown
  readonly radioButton?: unknown
  readonly buttonValue?: unknown
  readonly password?: unknown
}

/** What a person filled in and noted on a page: a line for each field of a form and for each comment. */
export function annotationLines(annotations: readonly PdfAnnotation[]): readonly string[] {
  const lines = annotations.flatMap((annotation) => {
    if (annotation.subtype === 'Widget') return fieldLine(annotation)
    const { contentsObj } = annotation
    const note =
      typeof contentsObj === 'object' && contentsObj !== null && 'str' in contentsObj ? contentsObj.str : ''
    return typeof note === 'string' && note.trim() !== '' ? [`[Note: ${note.trim()}]`] : []
  })
  return [...new Set(lines)]
}

function fieldLine(annotation: PdfAnnotation): readonly string[] {
  const { fieldType, fieldName, fieldValue, alternativeText, radioButton, buttonValue, password } = annotation
  if (fieldType === 'Sig' || password === true) return []
  // Of radio buttons only the chosen one has the value of its field.
  if (radioButton === true && buttonValue !== fieldValue) return []
  const name = [alternativeText, fieldName].find(
    (label): label is string => typeof label === 'string' && label !== '',
  )
  const value = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter(
    (part): part is string => typeof part === 'string' && part.trim() !== '',
  )
  return value.length === 0 ? [] : [`[Field ${name ?? ''}: ${value.join(', ')}]`]
}

const TAIL = 4_000

/**
 * A PDF whose end was cut off, with an end that names its catalog, or one made of the pages that are there.
 *
 * @returns undefined if it has no page in the clear
 */
export function repairPdf(bytes: Uint8Array): Uint8Array | undefined {
  const source = new TextDecoder('latin1').decode(bytes)
  const pages: string[] = []
  let root: string | undefined
  let last = 0
  for (const { 1: number = '', index } of source.matchAll(/(?<!\d)(\d{1,7})\s{1,3}\d{1,5}\s{1,3}obj\b/g)) {
    last = Math.max(last, Number(number))
    const body = source.slice(index, index + TAIL)
    const end = body.indexOf('endobj')
    const object = end === -1 ? '' : body.slice(0, end)
    if (/\/Type\s{0,9}\/Catalog\b/.test(object)) root = number
    if (/\/Type\s{0,9}\/Page(?![a-z])/.test(object)) pages.push(`${number} 0 R`)
  }
  const hasTree = root !== undefined && /\/Type\s{0,9}\/Pages\b/.test(source)
  if (!hasTree && pages.length === 0) return undefined
  const tree = hasTree
    ? ''
    : `${String(last + 1)} 0 obj\n<< /Type /Catalog /Pages ${String(last + 2)} 0 R >>\nendobj\n${String(last + 2)} 0 obj\n<< /Type /Pages /Count ${String(pages.length)} /Kids [${pages.join(' ')}] >>\nendobj\n`
  const tail = `\nendstream\nendobj\n${tree}trailer\n<< /Root ${hasTree ? (root ?? '') : String(last + 1)} 0 R /Size ${String(last + 3)} >>\nstartxref\n0\n%%EOF\n`
  // Readers skip from a table of objects to its trailer, so a table without one is left out.
  const table = source.lastIndexOf('\nxref')
  const whole = bytes.subarray(0, table > source.lastIndexOf('trailer') ? table : undefined)
  return Uint8Array.from([...whole, ...new TextEncoder().encode(tail)])
}
