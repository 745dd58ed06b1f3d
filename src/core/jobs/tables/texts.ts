import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import { decodeText, encodingOf, linesOf } from './decode-text.ts'
import type { LineFiles } from './line-file.ts'
import { csvRows, type CsvOptions, type TableSource } from './read-csv.ts'

/** A text to embed. Without a label, its beginning identifies it. */
const labelledTextSchema = z.object({ text: z.string(), label: z.string().max(300).exactOptional() })
export type LabelledText = z.infer<typeof labelledTextSchema>

/**
 * The source of texts and its format: one text for each line, each value of JSON Lines, each cell of a
 * column (from 0), or each file.
 */
export type TextSources =
  | { readonly form: 'lines' | 'jsonl'; readonly source: TableSource }
  | { readonly form: 'csv'; readonly source: TableSource; readonly column: number; readonly csv: CsvOptions }
  | { readonly form: 'files'; readonly sources: readonly (TableSource & { readonly name: string })[] }

const MAX_TEXTS = 100_000
/**
 * The limit of a model in tokens (specification, Limits), times the highest number of bytes in a token.
 */
const MAX_TEXT_BYTES = 8191 * 8

const lineSchema = z.union([z.string().transform((text): LabelledText => ({ text })), labelledTextSchema])

/**
 * Yields each text that isn't empty. Throws studio/text-encoding, studio/no-texts, studio/too-many-texts,
 * studio/text-too-long, studio/csv-….
 */
export async function* textsOf(from: TextSources): AsyncGenerator<LabelledText, void> {
  let count = 0
  for await (const labelled of each(from)) {
    const { text, label } = labelled
    if (text.trim() === '') continue
    count += 1
    if (count > MAX_TEXTS) throw new SottoError('studio/too-many-texts')
    if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
      throw new SottoError('studio/text-too-long', {
        detail:
          label === undefined
            ? msg('This is text number {count}.', { count })
            : msg('This is text number {count}, “{label}”.', { count, label: label.slice(0, 80) }),
      })
    yield labelled
  }
  if (count === 0) throw new SottoError('studio/no-texts')
}

async function* each(from: TextSources): AsyncGenerator<LabelledText, void> {
  switch (from.form) {
    case 'lines':
      for await (const line of linesOf(textOf(from.source), MAX_TEXT_BYTES)) yield { text: line.trim() }
      return
    case 'jsonl':
      for await (const line of linesOf(textOf(from.source), MAX_TEXT_BYTES * 8))
        if (line.trim() !== '') yield parsed(line)
      return
    case 'csv': {
      let columns: number | undefined
      for await (const row of csvRows(from.source, from.csv)) {
        const cell = row[from.column]
        if (cell === undefined) throw new SottoError('studio/csv-column')
        if (columns === undefined) columns = row.length
        else yield { text: cell.trim() }
      }
      return
    }
    case 'files':
      for (const source of from.sources)
        yield { text: (await wholeText(source)).trim(), label: source.name.slice(0, 300) }
  }
}

function textOf(source: TableSource): AsyncGenerator<string, void> {
  return decodeText(source.read(), encodingOf(source.head))
}

async function wholeText(source: TableSource): Promise<string> {
  const bytes = await readBytes(source.read(), MAX_TEXT_BYTES * 2 + 2).catch((cause: unknown) => {
    throw new SottoError('studio/text-too-long', { cause })
  })
  let text = ''
  for await (const piece of decodeText(toAsyncIterable(bytes), encodingOf(bytes))) text += piece
  return text
}

function parsed(line: string): LabelledText {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // The schema refuses the value below.
  }
  const labelled = lineSchema.safeParse(value)
  if (!labelled.success)
    throw new SottoError('studio/text-encoding', {
      detail: msg('A line is neither a JSON string nor an object containing one.'),
    })
  return labelled.data
}

/** The texts of a stored job, from this one on. */
export async function* storedTexts(
  files: LineFiles,
  jobId: string,
  index: number,
  from: number,
): AsyncGenerator<LabelledText, void> {
  for await (const value of files.from(jobId, index, from)) yield labelledTextSchema.parse(value)
}
