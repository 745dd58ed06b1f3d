import { scanMarkup } from '../../../shared/markup/scan-markup.ts'
import { BoundedText } from './unreadable-file.ts'

/** The meaning of a format's elements. Names are without prefix, in lower case. */
export interface FlowFormat {
  readonly paragraph: ReadonlySet<string>
  readonly row: string
  readonly cells: ReadonlySet<string>
  readonly table: string
  /** Only text in these counts; absent if all text does. */
  readonly textIn?: ReadonlySet<string>
  readonly skipped: ReadonlySet<string>
  /** What an element adds to the text, such as a line break. */
  readonly mark: (name: string, attribute: (name: string) => string | undefined) => string | undefined
}

interface TableRows {
  readonly rows: string[][]
}

/**
 * The text of a document that flows from paragraph to paragraph. Tables become rows of Markdown, so that a model sees the cells of one
 * row. A table within a cell is written into that cell.
 *
 * @throws {UnreadableFile} attachment/too-large, attachment/document-damaged
 */
export function readFlow(markup: string, format: FlowFormat): string {
  const result = new BoundedText()
  const tables: TableRows[] = []
  /** Of each cell that is open. */
  const cells: string[] = []
  let skipping = 0
  let within = 0

  const add = (text: string) => {
    const last = cells.length - 1
    if (last < 0) result.add(text)
    else cells[last] = `${cells[last] ?? ''}${text}`
  }
  scanMarkup(markup, {
    open(name, attribute) {
      if (format.skipped.has(name)) skipping += 1
      if (skipping > 0) return
      if (format.textIn?.has(name)) within += 1
      if (name === format.table) tables.push({ rows: [] })
      if (name === format.row) tables.at(-1)?.rows.push([])
      if (format.cells.has(name) && tables.length > 0) cells.push('')
      const mark = format.mark(name, attribute)
      if (mark !== undefined) add(mark)
    },
    close(name) {
      if (format.skipped.has(name)) {
        skipping = Math.max(0, skipping - 1)
        return
      }
      if (skipping > 0) return
      if (format.textIn?.has(name)) within = Math.max(0, within - 1)
      if (format.paragraph.has(name)) add('\n')
      if (format.cells.has(name) && cells.length > 0)
        tables
          .at(-1)
          ?.rows.at(-1)
          ?.push(oneLine(cells.pop() ?? ''))
      if (name === format.table) add(`\n${rowsOf(tables.pop())}\n`)
    },
    text(text) {
      if (skipping > 0 || (format.textIn && within === 0)) return
      add(format.textIn ? text : text.replaceAll(/\s+/g, ' '))
    },
  })
  return result.toString()
}

function oneLine(cell: string): string {
  const lines = cell.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .replaceAll('|', '\\|')
}

function rowsOf(table: TableRows | undefined): string {
  const [head, ...rows] = (table?.rows ?? []).filter((row) => row.length > 0)
  if (!head) return ''
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |\n`
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`
}
