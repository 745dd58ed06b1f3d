import { isDue } from '../../../shared/duration.ts'
import type { JobPart } from '../../../shared/job-record.ts'
import type { RowState } from '../../../shared/job-rows.ts'
import type { Jobs } from '../jobs.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'

const PAGE = 1000
/** Each row is written at once. The progress of the job is written at most this often. */
const EVERY_MS = 400

/**
 * The states of the rows of one batch, and their total cost. They are read from the rows, because an
 * earlier process may have ended before it updated the job.
 */
export class BatchBook {
  readonly #jobId: string
  readonly #jobs: Jobs
  readonly #parts: HandlerOptions['parts']
  readonly #now: () => number
  readonly #states = new Map<number, RowState>()
  readonly #counts: Record<RowState, number> = { ready: 0, sending: 0, done: 0, failed: 0, unknown: 0 }
  #held = 0n
  #cost = 0n
  #paidMsat = 0n
  #written = 0

  constructor(jobId: string, { jobs, parts, now }: Pick<HandlerOptions, 'jobs' | 'parts' | 'now'>) {
    this.#jobId = jobId
    this.#jobs = jobs
    this.#parts = parts
    this.#now = now
  }

  /** Reads all recorded rows. Throws store/damaged. */
  static async open(
    jobId: string,
    options: Pick<HandlerOptions, 'jobs' | 'parts' | 'now'>,
  ): Promise<BatchBook> {
    const book = new BatchBook(jobId, options)
    for await (const part of partsOf(jobId, options.parts)) book.#count(part, 1)
    return book
  }

  /** By the index of the row, from 0; `ready` if the row isn't recorded yet. */
  stateOf(part: number): RowState {
    return this.#states.get(part) ?? 'ready'
  }

  /** The number of rows in this state. For `ready`, only recorded rows count. */
  inState(state: RowState): number {
    return this.#counts[state]
  }

  /** Pico-USD: the cost of the recorded rows, and for rows of unknown cost the highest possible cost. */
  get reserved(): bigint {
    return this.#held
  }

  /** Writes the row to disk before it returns. */
  put(part: JobPart): void {
    const before = this.#states.has(part.part) ? this.#parts.get(this.#jobId, part.part) : null
    this.#parts.put(this.#jobId, part)
    if (before) this.#count(before, -1)
    this.#count(part, 1)
    if (isDue(this.#now(), this.#written, EVERY_MS)) this.write()
  }

  /** Writes the progress to the job. */
  write(): void {
    this.#written = this.#now()
    const { done, failed, unknown } = this.#counts
    this.#jobs.apply(this.#jobId, {
      type: 'tallied',
      rows: { done, failed, unknown },
      ...(this.#cost > 0n && { cost: this.#cost.toString() }),
      ...(this.#paidMsat > 0n && { paidMsat: this.#paidMsat.toString() }),
    })
  }

  #count({ part, state, held = '0', price = '0', cost = '0', paidMsat = '0' }: JobPart, sign: 1 | -1): void {
    this.#states.set(part, state)
    this.#counts[state] += sign
    this.#held += (BigInt(held) + BigInt(price)) * BigInt(sign)
    this.#cost += BigInt(cost) * BigInt(sign)
    this.#paidMsat += BigInt(paidMsat) * BigInt(sign)
  }
}

/** All recorded rows of a batch. Other work on the batch continues between the pages. */
export async function* partsOf(
  jobId: string,
  parts: Pick<HandlerOptions['parts'], 'list'>,
  states?: readonly RowState[],
): AsyncGenerator<JobPart, void> {
  for (let from = 0; ;) {
    const page = parts.list(jobId, { from, limit: PAGE, ...(states && { states }) })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    from = last.part + 1
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
  }
}
