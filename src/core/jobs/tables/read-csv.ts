import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { csvDelimiters, MAX_BATCH_ROWS } from '../../../shared/job-ask.ts'
import { msg } from '../../../shared/localized-text.ts'
import { decodeText, encodingOf } from './decode-text.ts'

/** Of one row. */
export const cellsSchema = z.array(z.string())

/** What parts the cells of a row. */
export type Delimiter = (typeof csvDelimiters)[number]

/** `header`: the first row names the columns. Without a delimiter it is told by the first lines. */
export interface CsvOptions {
  readonly header: boolean
  readonly delimiter?: Delimiter | undefined
}

/** A file that is read as often as it is wanted. */
export interface TableSource {
  readonly head: Uint8Array
  /** Undefined of what was uploaded: it is judged by its bytes. */
  readonly type?: string | undefined
  read(): AsyncIterable<Uint8Array>
}

const MAX_COLUMNS = 1000
/** Characters of one row. */
const MAX_ROW = 4_000_000
/** Of the beginning, by which the delimiter is told. */
const JUDGED = 64 * 1024

/**
 * The names of the columns, and then each row's cells, read as a stream (RFC 4180). Throws studio/text-encoding, studio/csv-malformed,
 * studio/csv-empty, studio/csv-rows.
 */
export async function* csvRows(
  source: TableSource,
  { header, delimiter = delimiterOf(source.head) }: CsvOptions,
): AsyncGenerator<readonly string[], void> {
  const parser = parse({ delimiter, bom: true, skip_empty_lines: true, max_record_size: MAX_ROW })
  const text = Readable.from(decodeText(source.read(), encodingOf(source.head)))
  // What breaks in the file breaks the reading of it; the parser's own end is not waited for then.
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  let read = -1
  try {
    for await (const parsed of parser) {
      const record = cellsSchema.parse(parsed)
      if (read === -1) {
        if (record.length > MAX_COLUMNS)
          throw new SottoError('studio/csv-malformed', {
            detail: msg('The table has more than {most, plural, one {# column} other {# columns}}.', {
              most: MAX_COLUMNS,
            }),
          })
        yield header ? named(record) : record.map((_, at) => `Column ${String(at + 1)}`)
        read = 0
        if (header) continue
      }
      read += 1
      if (read > MAX_BATCH_ROWS) throw new SottoError('studio/csv-rows')
      yield record
    }
  } catch (thrown) {
    throw asRefusal(thrown)
  } finally {
    text.destroy()
    parser.destroy()
  }
  if (read <= 0) throw new SottoError('studio/csv-empty')
}

/** A name that is missing is its place. */
function named(record: readonly string[]): string[] {
  return record.map((name, at) =>
    (name.trim() === '' ? `Column ${String(at + 1)}` : name.trim()).slice(0, 300),
  )
}

function asRefusal(thrown: unknown): unknown {
  if (!(thrown instanceof CsvError)) return thrown
  const { lines } = thrown
  return new SottoError('studio/csv-malformed', {
    cause: thrown,
    ...(typeof lines === 'number' && { detail: msg('The file was read up to line {lines}.', { lines }) }),
  })
}

/** The one that parts the first lines most evenly, and into most cells: quoted text is passed over. */
export function delimiterOf(head: Uint8Array): Delimiter {
  const text = new TextDecoder(encodingOf(head))
    .decode(head.subarray(0, JUDGED))
    .replaceAll(/"(?:[^"]|"")*"/g, '')
  const lines = text
    .split(/\r?\n/)
    .slice(0, 20)
    .filter((line) => line !== '')
  // The last may be cut off.
  const judged = lines.length > 1 ? lines.slice(0, -1) : lines
  let [best, most]: [Delimiter, number] = [',', 0]
  for (const delimiter of csvDelimiters) {
    const counts = judged.map((line) => line.split(delimiter).length - 1)
    const [first = 0] = counts
    const score = first === 0 ? 0 : first + (counts.every((count) => count === first) ? 1000 : 0)
    if (score > most) [best, most] = [delimiter, score]
  }
  return best
}
