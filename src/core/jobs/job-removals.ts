import type { JobRecord } from '../../shared/job-record.ts'
import type { Store } from '../storage/index.ts'
import { partsOf } from './batch/batch-book.ts'
import { hasEnded } from './job-state.ts'
import type { Jobs } from './jobs.ts'

/** So long a removal can be taken back. */
const UNDO_MS = 30_000

export interface JobRemovalsOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
  readonly parts: Store['jobParts']
  /** The payer's name for what was delivered: without it the bytes go with the job's. */
  readonly forgetDelivered: (purchaseId: string) => Promise<void>
}

/** Hides at once, and deletes when it can no longer be taken back; what a process left hidden the next one deletes. */
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

  /** Of those that have ended. */
  remove(ids: readonly string[]): { readonly removed: string[]; readonly undoMs: number } {
    const { jobs } = this.#options
    const removed = ids.filter((id) => {
      const job = jobs.kept.get(id)
      if (!job || !hasEnded(job.state) || !jobs.kept.hide(id)) return false
      const timer = setTimeout(() => this.#finishSoon(id, job.purchaseId), UNDO_MS).unref()
      this.#pending.set(id, { purchaseId: job.purchaseId, timer })
      jobs.tell({ jobId: id, job: null })
      return true
    })
    return { removed, undoMs: UNDO_MS }
  }

  /** Those of them that were still to be had, as they were; each is told of. */
  restore(ids: readonly string[]): JobRecord[] {
    const { jobs } = this.#options
    return ids.flatMap((id) => {
      const waiting = this.#pending.get(id)
      if (!waiting || !jobs.kept.takeBack(id)) return []
      clearTimeout(waiting.timer)
      this.#pending.delete(id)
      const job = jobs.of(id)
      jobs.tell({ jobId: id, job })
      return [job]
    })
  }

  /** What a former process left hidden, and nobody can take back any more. */
  finishAll(): void {
    for (const id of this.#options.jobs.kept.hidden())
      if (!this.#pending.has(id))
        this.#finishSoon(id, this.#options.jobs.kept.hiddenPurchase(id) ?? undefined)
  }

  /** Nobody can take them back any more: deletes all that is hidden, and waits for it. Throws nothing. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const [id, { purchaseId }] of this.#pending) this.#finishSoon(id, purchaseId)
    await Promise.all(this.#finishing)
  }

  #finishSoon(id: string, purchaseId: string | undefined): void {
    clearTimeout(this.#pending.get(id)?.timer)
    this.#pending.delete(id)
    // What the disk refuses now is deleted at the next start: it stays hidden.
    const finishing = this.#finish(id, purchaseId)
      .catch(() => undefined)
      .finally(() => this.#finishing.delete(finishing))
    this.#finishing.add(finishing)
  }

  /** The row last: a process that ends in between has the next one delete what is left. */
  async #finish(id: string, purchaseId: string | undefined): Promise<void> {
    const { jobs, files, parts, forgetDelivered } = this.#options
    for await (const part of partsOf(id, parts))
      if (part.purchaseId !== undefined) await forgetDelivered(part.purchaseId)
    await files.remove(id)
    if (purchaseId !== undefined) await forgetDelivered(purchaseId)
    jobs.kept.remove(id)
  }
}
