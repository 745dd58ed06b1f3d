import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { csvDelimiters, MAX_BATCH_ROWS } from '../../../shared/job-ask.ts'
import { msg } from '../../../shared/localized-text.ts'
import { decodeText, encodingOf } from './decode-text.ts'

/** The cells of one row. */
export const cellsSchema = z.array(z.string())

/** The character between the cells of a row. */
export type Delimiter = (typeof csvDelimiters)[number]

/**
 * `header`: the first row has the names of the columns. Without a delimiter, the first lines determine it.
 */
export interface CsvOptions {
  readonly header: boolean
  readonly delimiter?: Delimiter | undefined
}

/** A file that can be read any number of times. */
export interface TableSource {
  readonly head: Uint8Array
  /** Undefined for an upload, whose bytes determine its type. */
  readonly type?: string | undefined
  read(): AsyncIterable<Uint8Array>
}

const MAX_COLUMNS = 1000
/** The limit for one row, in characters. */
const MAX_ROW = 4_000_000
/** The number of bytes that determine the delimiter. */
const SAMPLE_BYTES = 64 * 1024

/**
 * The names of the columns, followed by the cells of each row, read as a stream (RFC 4180). Throws
 * studio/text-encoding, studio/csv-malformed, studio/csv-empty, studio/csv-rows.
 */
export async function* csvRows(
  source: TableSource,
  { header, delimiter = delimiterOf(source.head) }: CsvOptions,
): AsyncGenerator<readonly string[], void> {
  const parser = parse({ delimiter, bom: true, skip_empty_lines: true, max_record_size: MAX_ROW })
  const text = Readable.from(decodeText(source.read(), encodingOf(source.head)))
  // An error in the file ends the parser too, which would otherwise wait for the end.
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

/** A column without a name is named by its position. */
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

/** The delimiter that splits the first lines most evenly and into most cells. Quoted text is ignored. */
export function delimiterOf(head: Uint8Array): Delimiter {
  const text = new TextDecoder(encodingOf(head))
    .decode(head.subarray(0, SAMPLE_BYTES))
    .replaceAll(/"(?:[^"]|"")*"/g, '')
  const lines = text
    .split(/\r?\n/)
    .slice(0, 20)
    .filter((line) => line !== '')
  // The last line may be incomplete.
  const sample = lines.length > 1 ? lines.slice(0, -1) : lines
  let [best, most]: [Delimiter, number] = [',', 0]
  for (const delimiter of csvDelimiters) {
    const counts = sample.map((line) => line.split(delimiter).length - 1)
    const [first = 0] = counts
    const score = first === 0 ? 0 : first + (counts.every((count) => count === first) ? 1000 : 0)
    if (score > most) [best, most] = [delimiter, score]
  }
  return best
}
