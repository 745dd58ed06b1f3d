import type { JobRecord } from '../../shared/job-record.ts'
import type { RowState } from '../../shared/job-rows.ts'
import type { JobHandlers } from './handlers/create-handlers.ts'
import { followPurchase } from './follow-purchase.ts'
import type { GivenFiles } from './source-files.ts'
import type { StudioOptions } from './index.ts'
import type { JobRuns } from './job-runs.ts'
import { hasEnded } from './job-state.ts'
import type { Jobs } from './jobs.ts'
import { ANSWER } from './send.ts'

export interface JobProgressOptions {
  readonly jobs: Jobs
  readonly files: StudioOptions['store']['jobFiles']
  readonly payer: Pick<StudioOptions['payer'], 'get' | 'changes'>
  readonly runs: JobRuns
  readonly handlers: JobHandlers
  readonly given: GivenFiles
  /** Unix ms. */
  readonly now: () => number
}

/** Has jobs go on, as far as they go without their owners. Only `send` has anything leave. */
export class JobProgress {
  readonly #options: JobProgressOptions

  constructor(options: JobProgressOptions) {
    this.#options = options
  }

  /**
   * Notes the job as sent, before it returns, and sends it: it counts as sent from here on, and nobody can have it sent a second time. What
   * comes of it the job says. Throws store/unwritable, studio/unknown. @param rows of a batch, those that are sent again though they were sent
   */
  send(id: string, rows: readonly RowState[] = []): void {
    const { jobs, runs, handlers, given, now } = this.#options
    const job = jobs.apply(id, { type: 'sent', at: Math.trunc(now()) })
    void runs.run(id, async () => {
      await handlers[job.ask.kind].send(job, given.own(job), rows)
      await this.#goOn(id)
    })
  }

  /** From where it stands, once what is under way for it has ended. Resolves when it goes no further; what failed the job says. */
  goOn(id: string): Promise<void> {
    return this.#options.runs.run(id, () => this.#goOn(id))
  }

  /** After a start: goes on with what another process began. Never sends, never pays. */
  resumeAll(): void {
    const { jobs, runs, handlers } = this.#options
    for (const found of jobs.kept.open()) {
      const { id, ask, state, pay, purchaseId } = found
      // After an unlocking there may be some that this process has begun.
      if (runs.has(id)) continue
      const handler = handlers[ask.kind]
      // As it was found: its owner may have it go on before this comes to it.
      if (handler.interrupted && (state === 'sending' || state === 'paused'))
        void runs.run(id, async () => handler.interrupted?.(found))
      else if (state === 'sending' && pay === 'balance') this.#interrupted(id)
      if (state === 'ready' && pay === 'single' && purchaseId === undefined)
        jobs.apply(id, { type: 'stopped' })
      void this.goOn(id)
    }
  }

  /** Follows what becomes of purchases, each with its job or its row of a batch, until the signal. */
  async followPurchases(signal: AbortSignal): Promise<void> {
    for await (const { id } of this.#options.payer.changes(signal)) {
      try {
        this.#followPurchase(id)
      } catch {
        // A job that cannot be read: the others are followed all the same.
      }
    }
  }

  #followPurchase(purchaseId: string): void {
    const {
      jobs,
      files,
      payer,
      runs,
      handlers: { batch },
    } = this.#options
    const job = jobs.kept.ofPurchase(purchaseId)
    const batchId = job ? undefined : batch.jobOfPurchase(purchaseId)
    if (batchId !== undefined) void runs.run(batchId, () => batch.purchaseChanged(purchaseId))
    if (!job) return
    // What is shown of the purchase changed, whether or not the job does.
    jobs.tell({ jobId: job.id, job })
    void runs.run(job.id, async () => {
      const current = jobs.of(job.id)
      const purchase = payer.get(purchaseId)
      if (purchase && current.state === 'failed') await followPurchase(job.id, purchase, { jobs, files })
      await this.#goOn(job.id)
    })
  }

  /** The machine slept, or may have: the service is asked now how far things are. */
  wake(): void {
    const { jobs, handlers } = this.#options
    for (const { id, ask, state, pay } of jobs.kept.open()) {
      if (state === 'working' && pay === 'balance')
        void handlers[ask.kind].poll?.(jobs.of(id)).catch(() => undefined)
    }
  }

  async #goOn(id: string): Promise<void> {
    const { jobs, files, payer, handlers } = this.#options
    let job: JobRecord = jobs.of(id)
    if (job.purchaseId !== undefined && !hasEnded(job.state)) {
      const purchase = payer.get(job.purchaseId)
      if (purchase) job = await followPurchase(id, purchase, { jobs, files })
    }
    const handler = handlers[job.ask.kind]
    for (;;) {
      if (job.state === 'working' && job.pay === 'balance') {
        await handler.follow?.(job)
        job = jobs.of(id)
      }
      if (job.state !== 'saving') return
      await handler.save(job)
      // Nothing, where what was kept is no last word: it is followed then.
      job = jobs.apply(id, { type: 'done' })
    }
  }

  /** Noted as sent, by a process that ended: unless its answer was kept already, nobody knows whether it was done. What it cost was noted before. */
  #interrupted(id: string): void {
    const { jobs, files } = this.#options
    const bytes = files.size(id, ANSWER)
    if (bytes === null) jobs.apply(id, { type: 'interrupted' })
    else
      jobs.apply(
        id,
        {
          type: 'kept',
          file: { index: ANSWER, role: 'answer', name: 'answer.json', type: 'application/json', bytes },
        },
        { type: 'answered' },
      )
  }
}
