import { SottoError } from '../../../shared/errors.ts'
import type { CsvTable } from '../../../shared/job-rows.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import { decodeText, encodingOf, linesOf } from './decode-text.ts'
import { LINES_TYPE } from './line-file.ts'
import { cellsSchema, csvRows, delimiterOf, type CsvOptions, type TableSource } from './read-csv.ts'

const MAX_LINE = 16_000_000
const SAMPLE = 20
const LONGEST = 500

/**
 * Reads the whole table once, so that an error far below is reported before anything is sent. Throws
 * studio/….
 */
export async function readTable(source: TableSource, options: CsvOptions): Promise<CsvTable> {
  const delimiter = options.delimiter ?? delimiterOf(source.head)
  let columns: readonly string[] | undefined
  let rows = 0
  const sample: string[][] = []
  for await (const cells of rowsOf(source, { ...options, delimiter })) {
    if (columns === undefined) {
      columns = cells
      continue
    }
    rows += 1
    if (sample.length < SAMPLE) sample.push(cells.map((cell) => cell.slice(0, LONGEST)))
  }
  return { columns: [...(columns ?? [])], rows, sample, delimiter, encoding: encodingOf(source.head) }
}

/**
 * The names of the columns, followed by the cells of each row, from a CSV file or from the stored file of
 * an earlier job. Throws studio/….
 */
export async function* rowsOf(
  source: TableSource,
  options: CsvOptions,
): AsyncGenerator<readonly string[], void> {
  if (source.type !== LINES_TYPE) {
    yield* csvRows(source, options)
    return
  }
  for await (const line of linesOf(decodeText(source.read(), 'utf-8'), MAX_LINE))
    if (line !== '') yield cellsOf(line)
}

function cellsOf(line: string): readonly string[] {
  const parsed = cellsSchema.safeParse(tryParseJson(line))
  if (!parsed.success) throw new SottoError('studio/csv-malformed')
  return parsed.data
}
