import type { JobRecord } from '../../shared/job-record.ts'
import { hasEnded } from '../../shared/job-state.ts'
import type { Store } from '../storage/index.ts'
import { partsOf } from './batch/batch-book.ts'
import type { Jobs } from './jobs.ts'

/** How long a removal can be undone. */
const UNDO_MS = 30_000

export interface JobRemovalsOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
  readonly parts: Store['jobParts']
  /**
   * Removes the payer's reference to the delivered files. Their bytes are deleted with those of the job.
   */
  readonly forgetDelivered: (purchaseId: string) => Promise<void>
}

/**
 * Hides jobs at once, and deletes them when the removal can no longer be undone. If the process ends before
 * that, the next one deletes them.
 */
export class JobRemovals implements AsyncDisposable {
  readonly #options: JobRemovalsOptions
  readonly #pending = new Map<
    string,
    { readonly purchaseId: string | undefined; readonly timer: NodeJS.Timeout }
  >()
  readonly #finishing = new Set<Promise<void>>()

  constructor(options: JobRemovalsOptions) {
    this.#options = options
  }

  /** Removes those of the jobs that have ended. */
  remove(ids: readonly string[]): { readonly removed: string[]; readonly undoMs: number } {
    const { jobs } = this.#options
    const removed = ids.filter((id) => {
      const job = jobs.store.get(id)
      if (!job || !hasEnded(job.state) || !jobs.store.hide(id)) return false
      const timer = setTimeout(() => this.#finishSoon(id, job.purchaseId), UNDO_MS).unref()
      this.#pending.set(id, { purchaseId: job.purchaseId, timer })
      jobs.tell({ jobId: id, job: null })
      return true
    })
    return { removed, undoMs: UNDO_MS }
  }

  /** Restores the jobs that still exist, and notifies the listeners of each. */
  restore(ids: readonly string[]): JobRecord[] {
    const { jobs } = this.#options
    return ids.flatMap((id) => {
      const waiting = this.#pending.get(id)
      if (!waiting || !jobs.store.takeBack(id)) return []
      clearTimeout(waiting.timer)
      this.#pending.delete(id)
      const job = jobs.of(id)
      jobs.tell({ jobId: id, job })
      return [job]
    })
  }

  /** Deletes the jobs that an earlier process hid, whose removal can't be undone any more. */
  finishAll(): void {
    for (const id of this.#options.jobs.store.hidden())
      if (!this.#pending.has(id))
        this.#finishSoon(id, this.#options.jobs.store.hiddenPurchase(id) ?? undefined)
  }

  /** Deletes all hidden jobs, whose removal can no longer be undone, and waits for it. Never throws. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const [id, { purchaseId }] of this.#pending) this.#finishSoon(id, purchaseId)
    await Promise.all(this.#finishing)
  }

  #finishSoon(id: string, purchaseId: string | undefined): void {
    clearTimeout(this.#pending.get(id)?.timer)
    this.#pending.delete(id)
    // If the disk fails, the job stays hidden, and the next start deletes it.
    const finishing = this.#finish(id, purchaseId)
      .catch(() => undefined)
      .finally(() => this.#finishing.delete(finishing))
    this.#finishing.add(finishing)
  }

  /** The row is deleted last, so that the next start can complete an interrupted deletion. */
  async #finish(id: string, purchaseId: string | undefined): Promise<void> {
    const { jobs, files, parts, forgetDelivered } = this.#options
    for await (const part of partsOf(id, parts))
      if (part.purchaseId !== undefined) await forgetDelivered(part.purchaseId)
    await files.remove(id)
    if (purchaseId !== undefined) await forgetDelivered(purchaseId)
    jobs.store.remove(id)
  }
}
