import { csvRow } from '../../../shared/csv-row.ts'
import { decimalUsd } from '../../../shared/money.ts'
import type { JobRecord } from '../../../shared/job-record.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'
import { encoded } from '../byte-streams.ts'
import { allRows, answerOf, columnsOf, type BatchRowsOptions, type StoredRow } from './batch-rows.ts'

/**
 * Responses are laid out in at most this many columns. All further members are in the last one, as JSON.
 */
const MOST_COLUMNS = 200
const DEPTH = 3

/**
 * The columns of the table, followed by the result of each row: its state, its cost, and one column for
 * each member of the response.
 */
export async function* batchCsv(job: JobRecord, options: BatchRowsOptions): AsyncGenerator<Uint8Array, void> {
  const columns = await columnsOf(job, options)
  const members = new Set<string>()
  for await (const row of allRows(job, options)) {
    for (const [name] of flat(parsed(await answerOf(job.id, row, options))))
      if (members.size < MOST_COLUMNS) members.add(name)
  }
  yield* encoded(rows())

  async function* rows(): AsyncGenerator<string, void> {
    yield csvRow([
      ...columns,
      'state',
      'cost_usd',
      'paid_msat',
      'error',
      ...[...members].map((name) => (name === '' ? 'answer' : `answer.${name}`)),
      ...(members.size === MOST_COLUMNS ? ['answer (JSON)'] : []),
    ])
    for await (const row of allRows(job, options)) {
      const text = await answerOf(job.id, row, options)
      const values = new Map(flat(parsed(text)))
      yield csvRow([
        ...columns.map((_, at) => row.cells[at] ?? ''),
        row.state,
        row.cost === undefined ? '' : decimalUsd(BigInt(row.cost)),
        row.paidMsat ?? '',
        row.failure?.code ?? '',
        ...[...members].map((name) => values.get(name) ?? ''),
        ...(members.size === MOST_COLUMNS ? [text ?? ''] : []),
      ])
    }
  }
}

/** An array of rows, each with its cells by column, its state, its cost, and the original response. */
export async function* batchJson(
  job: JobRecord,
  options: BatchRowsOptions,
): AsyncGenerator<Uint8Array, void> {
  const columns = await columnsOf(job, options)
  yield* encoded(rows())

  async function* rows(): AsyncGenerator<string, void> {
    let before = '['
    for await (const row of allRows(job, options)) {
      yield `${before}\n${JSON.stringify({ row: row.part + 1, cells: byColumn(columns, row), state: row.state, ...known(row), answer: parsed(await answerOf(job.id, row, options)) })}`
      before = ','
    }
    yield before === '[' ? '[]\n' : '\n]\n'
  }
}

function known({ cost, paidMsat, purchaseId, receiptId, sentAt, failure }: StoredRow): object {
  return {
    costUsd: cost === undefined ? undefined : decimalUsd(BigInt(cost)),
    paidMsat,
    purchaseId,
    receiptId,
    sentAt: sentAt === undefined ? undefined : new Date(sentAt).toISOString(),
    error: failure,
  }
}

/** If two columns have the same name, their position distinguishes them. */
function byColumn(
  columns: readonly string[],
  { cells }: StoredRow,
): [column: string, cell: string][] | Record<string, string> {
  const pairs = columns.map((column, at): [string, string] => [column, cells[at] ?? ''])
  return new Set(columns).size === columns.length ? Object.fromEntries(pairs) : pairs
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined
  return tryParseJson(text) ?? text
}

/** Flattens members to their paths. Lists and deeper levels become JSON. */
function flat(value: unknown, path = '', depth = 0): [name: string, text: string][] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [[path, typeof value === 'string' ? value : JSON.stringify(value)]]
  if (Array.isArray(value) || depth === DEPTH) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) =>
    flat(member, path === '' ? name : `${path}.${name}`, depth + 1),
  )
}
