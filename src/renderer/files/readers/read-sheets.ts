import { MAX_TEXT_BYTES } from '../../../shared/attachment-limits.ts'
import { relationsOf } from './package-relations.ts'
import { scanMarkup } from '../../../shared/markup/scan-markup.ts'
import { BoundedText, UnreadableFile } from './unreadable-file.ts'
import type { ZipArchive } from './unzip.ts'

/** A column beyond this is empty in any table that a person made. */
const MAX_COLUMNS = 2_000
/** A row that is repeated more often than this fills a sheet to its end. */
const MAX_REPEATS = 1_000
const ignore = () => undefined

/**
 * The sheets of a workbook as comma-separated rows, each under its name. Cells have their values, not their formulas.
 *
 * @throws {UnreadableFile} attachment/document-…, attachment/too-large
 */
export function readWorkbook(archive: ZipArchive): string {
  const result = new BoundedText()
  const relations = relationsOf(archive, 'xl/workbook.xml')
  const sheets: { name: string; path: string }[] = []
  let epoch1904 = false
  scanMarkup(archive.text('xl/workbook.xml') ?? '', {
    open: (name, attribute) => {
      if (name === 'workbookpr') epoch1904 = ['1', 'true'].includes(attribute('date1904') ?? '')
      const path = name === 'sheet' ? relations.get(attribute('r:id') ?? '') : undefined
      if (path !== undefined) sheets.push({ name: attribute('name') ?? '', path })
    },
    close: ignore,
    text: ignore,
  })
  const strings = sharedStrings(archive.text('xl/sharedStrings.xml') ?? '')
  const dates = dateStyles(archive.text('xl/styles.xml') ?? '')
  const named =
    sheets.length > 0
      ? sheets
      : archive.names
          .filter((path) => /^xl\/worksheets\/[^/]+\.xml$/.test(path))
          .map((path) => ({ name: path.slice(14, -4), path }))
  for (const { name, path } of named) {
    const rows = new BoundedText()
    readSheet(archive.text(path) ?? '', { strings, dates, epoch1904 }, (row) => rows.add(row))
    const text = rows.toString()
    if (text !== '') result.add(`[Sheet ${name}]\n${text}\n\n`)
  }
  return result.toString()
}

function sharedStrings(markup: string): readonly string[] {
  const strings: string[] = []
  let current = ''
  let within = false
  let phonetic = false
  scanMarkup(markup, {
    open: (name) => {
      if (name === 'si') current = ''
      if (name === 'rph') phonetic = true
      within = name === 't' && !phonetic
    },
    close: (name) => {
      if (name === 'si') strings.push(current)
      if (name === 'rph') phonetic = false
      within = false
    },
    text: (text) => {
      if (within) current += text
    },
  })
  return strings
}

/** Built-in formats of dates and times, of all languages and of East Asian and Thai ones (ECMA-376 part 1, §18.8.30). */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [70, 81],
] as const

/** Whether each style of a cell shows its number as a date. */
function dateStyles(markup: string): readonly boolean[] {
  const custom = new Map<string, boolean>()
  const styles: boolean[] = []
  let within = false
  scanMarkup(markup, {
    open: (name, attribute) => {
      if (name === 'numfmt') {
        const code = (attribute('formatCode') ?? '').replaceAll(/"[^"]{0,200}"|\[[^\]]{0,200}\]|\\./g, '')
        custom.set(attribute('numFmtId') ?? '', /[ymdhs]/i.test(code) && !/[#?]|general/i.test(code))
      }
      if (name === 'cellxfs') within = true
      if (name !== 'xf' || !within) return
      const id = attribute('numFmtId') ?? ''
      const number = Number(id)
      styles.push(custom.get(id) ?? BUILT_IN_DATES.some(([from, to]) => number >= from && number <= to))
    },
    close: (name) => {
      if (name === 'cellxfs') within = false
    },
    text: ignore,
  })
  return styles
}

interface Book {
  readonly strings: readonly string[]
  readonly dates: readonly boolean[]
  readonly epoch1904: boolean
}

function readSheet(markup: string, book: Book, add: (row: string) => void): void {
  let row: string[] = []
  let cell = { column: 0, type: 'n', style: -1 }
  let value = ''
  let within = false
  scanMarkup(markup, {
    open: (name, attribute) => {
      if (name === 'row') row = []
      if (name === 'c') {
        cell = {
          column: columnOf(attribute('r')) ?? row.length,
          type: attribute('t') ?? 'n',
          style: Number(attribute('s') ?? -1),
        }
        value = ''
      }
      within = name === 'v' || name === 't'
    },
    close: (name) => {
      within = false
      if (name === 'c' && cell.column < MAX_COLUMNS) {
        const shown = shownValue(value, cell, book)
        if (shown === '') return
        while (row.length < cell.column) row.push('')
        row[cell.column] = shown
      }
      if (name === 'row' && row.length > 0) add(csvRow(row))
    },
    text: (text) => {
      if (within) value += text
    },
  })
}

/** The column of a reference such as `AB12`, from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function shownValue(value: string, { type, style }: { type: string; style: number }, book: Book): string {
  if (type === 's') return book.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n' || value === '') return value
  if (book.dates[style] !== true) return withoutNoise(value)
  return dateOf(Number(value), book.epoch1904) ?? value
}

/** The file has the nearest binary number, such as 0.30000000000000004. Excel shows 15 digits of it. */
function withoutNoise(value: string): string {
  const number = Number(value)
  return value.length > 16 && Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value
}

const DAY_MS = 86_400_000

/** Excel counts days from December 30, 1899, because it takes 1900 for a leap year. */
function dateOf(days: number, epoch1904: boolean): string | undefined {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return undefined
  const start = epoch1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  const iso = new Date(start + Math.round((days * DAY_MS) / 1_000) * 1_000).toISOString()
  if (days < 1) return iso.slice(11, 19)
  return days % 1 === 0 ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ')
}

/** A long string may be in many cells, so its length counts before they are joined. */
function csvRow(row: readonly string[]): string {
  if (row.reduce((sum, cell) => sum + cell.length, 0) > MAX_TEXT_BYTES)
    throw new UnreadableFile('attachment/too-large')
  const cells = Array.from(row, (cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${cells.join(',')}\n`
}

/** The members of a cell that hold its value, which some programs write without its text. */
const VALUES = [
  'office:string-value',
  'office:date-value',
  'office:time-value',
  'office:boolean-value',
  'office:value',
]

/**
 * The sheets of an OpenDocument spreadsheet as comma-separated rows.
 *
 * @throws {UnreadableFile} attachment/too-large, attachment/document-damaged
 */
export function readOpenSheets(markup: string): string {
  const result = new BoundedText()
  let row: string[] = []
  let value = ''
  let stored = ''
  let within = 0
  let empty = 0
  let columns = 1
  let rows = 1
  const repeats = (count: string | undefined, most: number) =>
    Math.min(Math.max(Number(count ?? 1) || 1, 1), most)
  scanMarkup(markup, {
    open: (name, attribute) => {
      if (name === 'table') result.add(`\n[Sheet ${attribute('table:name') ?? ''}]\n`)
      if (name === 'table-row') {
        row = []
        empty = 0
        rows = repeats(attribute('table:number-rows-repeated'), MAX_REPEATS)
      }
      if (name === 'table-cell' || name === 'covered-table-cell') {
        value = ''
        stored = VALUES.map((member) => attribute(member) ?? '').find((each) => each !== '') ?? ''
        columns = repeats(attribute('table:number-columns-repeated'), MAX_COLUMNS)
      }
      if (name === 'p') within += 1
      if (name === 'p' && value !== '') value += '\n'
    },
    close: (name) => {
      if (name === 'p') within = Math.max(0, within - 1)
      if (name === 'table-cell' || name === 'covered-table-cell') {
        if (value === '') value = stored
        stored = ''
        // Empty cells count only if another one follows them.
        if (value === '') empty += columns
        else {
          for (let count = 0; count < empty && row.length < MAX_COLUMNS; count += 1) row.push('')
          for (let count = 0; count < columns && row.length < MAX_COLUMNS; count += 1) row.push(value)
          empty = 0
        }
      }
      if (name === 'table-row' && row.length > 0)
        for (let count = 0; count < rows; count += 1) result.add(csvRow(row))
    },
    text: (text) => {
      if (within > 0) value += text
    },
  })
  return result.toString()
}
