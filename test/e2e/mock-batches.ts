import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { BatchRow, BatchRows, CsvTable, RowState } from '../../src/shared/job-rows.ts'
import type { Job } from '../../src/shared/job.ts'
import type { MockStudio } from './mock-studio.ts'

/** Tables and batch rows of the mock core. A test changes them. */
export interface MockBatches {
  /** The content of the next file, or the error it causes. */
  table: CsvTable | ErrorCode
  /** By job ID. */
  rows: Map<string, { columns: string[]; rows: BatchRow[] }>
  /** Changes a row and updates its job's counts, like the core when a row progresses. */
  turn: (jobId: string, index: number, part: Partial<BatchRow>) => void
}

export const someTable: CsvTable = {
  columns: ['name', 'e-mail', 'city'],
  rows: 250,
  sample: [
    ['Ada Adagio', 'ada@adagio.example', 'Lisbon'],
    ['Bruno Brio', 'bruno@brio.example', 'Porto'],
    ['Carla Cantabile', '', 'Faro'],
  ],
  delimiter: ',',
  encoding: 'utf-8',
}

export function mockBatches(): MockBatches {
  return {
    table: someTable,
    rows: new Map(),
    turn: () => {
      throw new Error('the door is not open')
    },
  }
}

export function row(index: number, part: Partial<BatchRow> = {}): BatchRow {
  return {
    index,
    state: 'ready',
    cells: [`Name ${String(index + 1)}`, `n${String(index + 1)}@adagio.example`, 'Lisbon'],
    ...part,
  }
}

interface Around {
  readonly state: { studio: MockStudio; batches: MockBatches }
  readonly refuse: (code: ErrorCode) => never
  readonly link: (jobId: string, index: number) => { path: string; expiresAt: number }
}

const RESULTS = 20_000

/** The batch procedures of the mock core. */
export function createMockBatches({ state: { studio, batches }, refuse, link }: Around) {
  const find = (id: string): Job => studio.jobs.find((each) => each.id === id) ?? refuse('studio/unknown')
  const of = (id: string) => batches.rows.get(id) ?? refuse('studio/unknown')
  const isBatch = (job: Job): boolean => job.ask.kind === 'batch'

  function counted(job: Job): Job {
    const { rows } = of(job.id)
    const count = (state: RowState) => rows.filter((each) => each.state === state).length
    const costs = rows.flatMap(({ cost }) => cost ?? [])
    const over = { done: count('done'), failed: count('failed'), unknown: count('unknown') }
    return {
      ...job,
      rows: over,
      parts: { of: rows.length, done: over.done },
      ...(costs.length > 0 && { cost: costs.reduce((sum, cost) => sum + BigInt(cost), 0n).toString() }),
    }
  }
  batches.turn = (jobId, index, part) => {
    const batch = of(jobId)
    batch.rows = batch.rows.map((each) => (each.index === index ? { ...each, ...part } : each))
    studio.put(counted(find(jobId)))
  }

  return {
    /** A started batch has its table's rows. */
    begun(job: Job): Job {
      if (!isBatch(job) || typeof batches.table === 'string') return job
      batches.rows.set(job.id, {
        columns: batches.table.columns,
        rows: Array.from({ length: batches.table.rows }, (_, index) => row(index)),
      })
      return studio.put(counted(job))
    },
    pause: (jobId: string): Job =>
      find(jobId).may.includes('pause')
        ? studio.put({ ...find(jobId), state: 'paused' })
        : refuse('studio/invalid-state'),
    resume(jobId: string): Job | undefined {
      const job = find(jobId)
      if (!isBatch(job)) return undefined
      if (!job.may.includes('resume')) return refuse('studio/invalid-state')
      const { failure: _, ...going } = job
      return studio.put({ ...going, state: 'sending' })
    },
    table: (_: object): CsvTable =>
      typeof batches.table === 'string' ? refuse(batches.table) : batches.table,
    rows({
      jobId,
      from,
      limit,
      states,
    }: {
      jobId: string
      from: number
      limit: number
      states?: readonly RowState[] | undefined
    }): BatchRows {
      const { columns, rows } = of(jobId)
      const meant = states ? rows.filter(({ state }) => states.includes(state)) : rows
      return { columns, total: meant.length, rows: meant.slice(from, from + limit) }
    },
    row: (jobId: string, index: number): BatchRow => of(jobId).rows[index] ?? refuse('studio/unknown'),
    results(jobId: string, format: string) {
      const { rows } = of(jobId)
      const bytes = Buffer.from(`${format} of ${String(rows.length)}\n`)
      const name = `batch.${format}`
      studio.files.set(`${jobId}/${String(RESULTS)}`, {
        file: { index: RESULTS, role: 'made', name, type: 'application/octet-stream', bytes: bytes.length },
        bytes,
      })
      return { ...link(jobId, RESULTS), name }
    },
  }
}
