import { asSottoError } from '../../shared/errors.ts'
import { failureOf } from './failure.ts'
import type { Jobs } from './jobs.ts'

/** What is done for jobs: one thing at a time for each. What fails is told by the job; once this is closed, the next start goes on with it. */
export class JobRuns {
  readonly #jobs: Jobs
  readonly #closed: AbortSignal
  readonly #last = new Map<string, Promise<void>>()

  constructor(jobs: Jobs, closed: AbortSignal) {
    this.#jobs = jobs
    this.#closed = closed
  }

  /** Whether anything is under way, or waits, for this job. */
  has(id: string): boolean {
    return this.#last.has(id)
  }

  /** Resolves once it has ended, either way. */
  run(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(id) ?? Promise.resolve()
    const next = before
      .then(work)
      .catch((thrown: unknown) => this.fail(id, thrown))
      .finally(() => {
        if (this.#last.get(id) === next) this.#last.delete(id)
      })
    this.#last.set(id, next)
    return next
  }

  /** Notes that the job failed, or is `lost` where what was made is gone (service/media-expired). Nothing once this is closed. Throws nothing. */
  fail(id: string, thrown: unknown): void {
    if (this.#closed.aborted) return
    const failure = asSottoError(thrown)
    try {
      if (failure.code === 'service/media-expired') this.#jobs.apply(id, { type: 'lost' })
      else this.#jobs.apply(id, { type: 'failed', ...failureOf(failure) })
    } catch {
      // A disk that refuses: the next start finds it as it was written last.
    }
  }

  /** Resolves once nothing that was begun is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
