import type { CsvTable } from '../../../shared/job-rows.ts'
import { encodingOf } from './decode-text.ts'
import { delimiterOf, type CsvOptions, type TableSource } from './read-csv.ts'
import { rowsOf } from './rows.ts'

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
