import { SottoError } from '../../../shared/errors.ts'
import type { JobPart, JobRecord } from '../../../shared/job-record.ts'
import { rowStates, type RowState } from '../../../shared/job-rows.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import type { Store } from '../../storage/index.ts'
import { answerFileOf } from '../batch/batch-row.ts'
import { FIRST_GIVEN } from '../source-files.ts'
import type { LineFiles } from '../tables/line-file.ts'
import { cellsSchema } from '../tables/read-csv.ts'

export interface BatchRowsOptions {
  readonly parts: Store['jobParts']
  readonly files: Pick<Store['jobFiles'], 'stream'>
  readonly lines: LineFiles
}

/** A stored row with its cells. */
export interface StoredRow extends JobPart {
  readonly cells: readonly string[]
}

/** `total`: all rows that match the query, on any page. */
export interface RowsPage {
  readonly columns: readonly string[]
  readonly total: number
  readonly rows: readonly StoredRow[]
}

/** `from`: the number of matching rows before the page. */
export interface RowsQuestion {
  readonly from: number
  readonly limit: number
  readonly states?: readonly RowState[] | undefined
}

const SENT = rowStates.filter((state) => state !== 'ready')

/** Throws studio/invalid-state if the job isn't a batch. */
export async function rowsPage(
  job: JobRecord,
  { from, limit, states }: RowsQuestion,
  options: BatchRowsOptions,
): Promise<RowsPage> {
  const columns = await columnsOf(job, options)
  const of = job.parts?.of ?? 0
  if (states === undefined || rowStates.every((state) => states.includes(state))) {
    const known = new Map(options.parts.list(job.id, { from, limit }).map((part) => [part.part, part]))
    return {
      columns,
      total: of,
      rows: await withCells(
        job.id,
        Array.from(
          { length: Math.max(0, Math.min(limit, of - from)) },
          (_, at) => known.get(from + at) ?? unsentAt(from + at),
        ),
        options,
      ),
    }
  }
  if (!states.includes('ready')) {
    return {
      columns,
      total: options.parts.count(job.id, states),
      rows: await withCells(job.id, options.parts.nth(job.id, { skip: from, limit, states }), options),
    }
  }
  const others = new Set(SENT.filter((state) => !states.includes(state)))
  const without = new Set(others.size === 0 ? [] : options.parts.places(job.id, [...others]))
  const places: number[] = []
  for (let part = 0, seen = 0; part < of && places.length < limit; part++) {
    if (without.has(part)) continue
    if (seen++ >= from) places.push(part)
  }
  return {
    columns,
    total: of - without.size,
    rows: await withCells(
      job.id,
      places.map((part) => options.parts.get(job.id, part) ?? unsentAt(part)),
      options,
    ),
  }
}

/** One row with its whole answer. Throws studio/unknown, and studio/invalid-state if the job isn't a batch. */
export async function rowAt(job: JobRecord, index: number, options: BatchRowsOptions): Promise<StoredRow> {
  requireBatch(job)
  if (index >= (job.parts?.of ?? 0)) throw new SottoError('studio/unknown')
  const [row] = await withCells(job.id, [options.parts.get(job.id, index) ?? unsentAt(index)], options)
  if (!row) throw new SottoError('studio/unknown')
  const answer = await answerOf(job.id, row, options)
  return { ...row, ...(answer !== undefined && { answer }) }
}

/** Every row, in order. Throws studio/invalid-state if the job isn't a batch. */
export async function* allRows(job: JobRecord, options: BatchRowsOptions): AsyncGenerator<StoredRow, void> {
  requireBatch(job)
  let part = 0
  let known = new Map<number, JobPart>()
  let until = 0
  for await (const cells of options.lines.from(job.id, FIRST_GIVEN, 1)) {
    if (part >= until) {
      known = new Map(
        options.parts
          .list(job.id, { from: part, limit: 500 })
          .filter((each) => each.part < part + 500)
          .map((each) => [each.part, each]),
      )
      until = part + 500
    }
    yield { ...(known.get(part) ?? unsentAt(part)), cells: cellsSchema.parse(cells) }
    part += 1
  }
}

/**
 * The names of the table's columns. Throws studio/invalid-state if the job isn't a batch, and store/damaged
 * if its table is missing.
 */
export async function columnsOf(job: JobRecord, { lines }: BatchRowsOptions): Promise<readonly string[]> {
  requireBatch(job)
  for await (const columns of lines.from(job.id, FIRST_GIVEN, 0)) return cellsSchema.parse(columns)
  return []
}

/** The response as JSON text; undefined if there is none yet. */
export async function answerOf(
  jobId: string,
  { part, state, answer }: JobPart,
  { files }: Pick<BatchRowsOptions, 'files'>,
): Promise<string | undefined> {
  if (answer !== undefined || state !== 'done') return answer
  const content = files.stream(jobId, answerFileOf(part))
  return content ? Buffer.from(await readBytes(content, Infinity)).toString('utf8') : undefined
}

async function withCells(
  jobId: string,
  parts: readonly JobPart[],
  { lines }: BatchRowsOptions,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = []
  for (let at = 0; at < parts.length;) {
    const start = parts[at]?.part ?? 0
    let line = start
    // Rows that are close to each other are read together.
    for await (const cells of lines.from(jobId, FIRST_GIVEN, start + 1)) {
      const part = parts[at]
      if (!part || part.part - line > 1000) break
      if (part.part === line) {
        rows.push({ ...part, cells: cellsSchema.parse(cells) })
        at += 1
        if (at === parts.length) break
      }
      line += 1
    }
    if (parts[at]?.part === start) break
  }
  return rows
}

function unsentAt(part: number): JobPart {
  return { part, state: 'ready' }
}

function requireBatch({ ask }: JobRecord): void {
  if (ask.kind !== 'batch') throw new SottoError('studio/invalid-state')
}
