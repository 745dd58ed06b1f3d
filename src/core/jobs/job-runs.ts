import { asSottoError } from '../../shared/errors.ts'
import { failureOf } from './failure.ts'
import type { Jobs } from './jobs.ts'

/**
 * Runs the work of jobs, one task at a time for each job. A failure is recorded in the job, except after
 * this is closed: then the next start continues the job.
 */
export class JobRuns {
  readonly #jobs: Jobs
  readonly #closed: AbortSignal
  readonly #last = new Map<string, Promise<void>>()

  constructor(jobs: Jobs, closed: AbortSignal) {
    this.#jobs = jobs
    this.#closed = closed
  }

  /** Whether a task of this job is running or waiting. */
  has(id: string): boolean {
    return this.#last.has(id)
  }

  /** Resolves once the task has succeeded or failed. */
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

  /**
   * Records that the job failed, or is `lost` if its results no longer exist (service/media-expired). Does
   * nothing after this is closed. Never throws.
   */
  fail(id: string, thrown: unknown): void {
    if (this.#closed.aborted) return
    const failure = asSottoError(thrown)
    try {
      if (failure.code === 'service/media-expired') this.#jobs.apply(id, { type: 'lost' })
      else this.#jobs.apply(id, { type: 'failed', ...failureOf(failure) })
    } catch {
      // If the disk fails, the next start finds the job as it was last written.
    }
  }

  /** Resolves once no task is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values())
  }
}
