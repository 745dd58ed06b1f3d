import type { JobRecord } from '../../shared/job-record.ts'
import { hasEnded } from '../../shared/job-state.ts'
import type { RowState } from '../../shared/job-rows.ts'
import type { JobHandlers } from './handlers/create-handlers.ts'
import { followPurchase } from './follow-purchase.ts'
import type { GivenFiles } from './source-files.ts'
import type { StudioOptions } from './index.ts'
import type { JobRuns } from './job-runs.ts'
import type { Jobs } from './jobs.ts'
import { ANSWER, answerFile } from './send.ts'

export interface JobProgressOptions {
  readonly jobs: Jobs
  readonly files: StudioOptions['store']['jobFiles']
  readonly payer: Pick<StudioOptions['payer'], 'get' | 'changes'>
  readonly runs: JobRuns
  readonly handlers: JobHandlers
  readonly givenFiles: GivenFiles
  /** Unix ms. */
  readonly now: () => number
}

/** Continues jobs as far as possible without their owners. Only `send` sends anything. */
export class JobProgress {
  readonly #options: JobProgressOptions

  constructor(options: JobProgressOptions) {
    this.#options = options
  }

  /**
   * Records the job as sent before it returns, and sends it. The job counts as sent from here on and can't
   * be sent a second time. The job has the outcome. Throws store/unwritable, studio/unknown.
   *
   * @param rows states of batch rows that are sent again although they were sent
   */
  send(id: string, rows: readonly RowState[] = []): void {
    const { jobs, runs, handlers, givenFiles, now } = this.#options
    const job = jobs.apply(id, { type: 'sent', at: Math.trunc(now()) })
    void runs.run(id, async () => {
      await handlers[job.ask.kind].send(job, givenFiles.sourceOf(job), rows)
      await this.#goOn(id)
    })
  }

  /**
   * Continues from the current state, after the work in progress for this job. Resolves when the job can't
   * continue; a failure is recorded in the job.
   */
  goOn(id: string): Promise<void> {
    return this.#options.runs.run(id, () => this.#goOn(id))
  }

  /** Continues the jobs of an earlier process after a start. Never sends, never pays. */
  resumeAll(): void {
    const { jobs, runs, handlers } = this.#options
    for (const found of jobs.store.open()) {
      const { id, ask, state, pay, purchaseId } = found
      // After an unlock, this process may have started some already.
      if (runs.has(id)) continue
      const handler = handlers[ask.kind]
      // Uses the state that was found: the owner may resume the job before this runs.
      if (handler.interrupted && (state === 'sending' || state === 'paused'))
        void runs.run(id, async () => handler.interrupted?.(found))
      else if (state === 'sending' && pay === 'balance') this.#interrupted(id)
      if (state === 'ready' && pay === 'single' && purchaseId === undefined)
        jobs.apply(id, { type: 'stopped' })
      void this.goOn(id)
    }
  }

  /** Follows the purchases of jobs and of rows of a batch, until the signal. */
  async followPurchases(signal: AbortSignal): Promise<void> {
    for await (const { id } of this.#options.payer.changes(signal)) {
      try {
        this.#followPurchase(id)
      } catch {
        // The job can't be read. Continue with the others.
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
    const job = jobs.store.ofPurchase(purchaseId)
    const batchId = job ? undefined : batch.jobOfPurchase(purchaseId)
    if (batchId !== undefined) void runs.run(batchId, () => batch.purchaseChanged(purchaseId))
    if (!job) return
    // The view of the purchase changed, even if the job doesn't.
    jobs.tell({ jobId: job.id, job })
    void runs.run(job.id, async () => {
      const current = jobs.of(job.id)
      const purchase = payer.get(purchaseId)
      if (purchase && current.state === 'failed') await followPurchase(job.id, purchase, { jobs, files })
      await this.#goOn(job.id)
    })
  }

  /** The computer slept, or may have: asks the service now for the progress. */
  wake(): void {
    const { jobs, handlers } = this.#options
    for (const { id, ask, state, pay } of jobs.store.open()) {
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
      // Follow the job instead, if the stored response isn't final.
      job = jobs.apply(id, { type: 'done' })
    }
  }

  /**
   * The job was recorded as sent by a process that ended. Unless its response is stored, its outcome is
   * unknown. Its cost was recorded before.
   */
  #interrupted(id: string): void {
    const { jobs, files } = this.#options
    const bytes = files.size(id, ANSWER)
    if (bytes === null) jobs.apply(id, { type: 'interrupted' })
    else jobs.apply(id, { type: 'kept', file: answerFile('application/json', bytes) }, { type: 'answered' })
  }
}
