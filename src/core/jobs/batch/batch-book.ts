import type { JobPart } from '../../../shared/job-record.ts'
import type { RowState } from '../../../shared/job-rows.ts'
import type { Jobs } from '../jobs.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'

const PAGE = 1000
/** Rows are written one by one; of the job is written how far it is, at most so often. */
const EVERY_MS = 400

/**
 * What became of the rows of one batch, and what they come to: read from the rows themselves, whatever the process before this
 * one still wrote of the job.
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

  /** Read from all rows that something is said of. Throws store/damaged. */
  static async open(
    jobId: string,
    options: Pick<HandlerOptions, 'jobs' | 'parts' | 'now'>,
  ): Promise<BatchBook> {
    const book = new BatchBook(jobId, options)
    for await (const part of partsOf(jobId, options.parts)) book.#count(part, 1)
    return book
  }

  /** By its place, from 0: `ready` where nothing is said of it yet. */
  stateOf(part: number): RowState {
    return this.#states.get(part) ?? 'ready'
  }

  /** How many rows are in this state; `ready` counts those alone that something is said of. */
  inState(state: RowState): number {
    return this.#counts[state]
  }

  /** Pico-USD: what they have cost, and where that is not known the most. */
  get held(): bigint {
    return this.#held
  }

  /** Durably, before it returns. */
  put(part: JobPart): void {
    const before = this.#states.has(part.part) ? this.#parts.get(this.#jobId, part.part) : null
    this.#parts.put(this.#jobId, part)
    if (before) this.#count(before, -1)
    this.#count(part, 1)
    if (this.#now() - this.#written >= EVERY_MS) this.write()
  }

  /** Says of the job how far it is. */
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

/** All of which there is something to say; others go on meanwhile. */
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
