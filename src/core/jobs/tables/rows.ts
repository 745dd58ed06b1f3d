import { SottoError } from '../../../shared/errors.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import { LINES_TYPE } from './line-file.ts'
import { decodeText, linesOf } from './decode-text.ts'
import { cellsSchema, csvRows, type CsvOptions, type TableSource } from './read-csv.ts'

const MAX_LINE = 16_000_000

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
