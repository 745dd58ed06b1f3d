import type { csvDelimiters, GivenFile, JobAsk } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { CsvTable, VectorPage } from '../../shared/job-rows.ts'
import type { JobEstimate, JobMatch, PayWay, Transcript } from '../../shared/job.ts'
import type { Caller } from '../../shared/receipt.ts'
import type { Payer } from '../payments/index.ts'
import type { Store } from '../storage/index.ts'
import type { Spool } from '../storage/spool.ts'
import type { Jobs } from './jobs.ts'
import type { Links } from './links.ts'
import type { JobsQuestion, ListedJobs } from './list-jobs.ts'
import type { StoredRow, RowsPage, RowsQuestion } from './results/batch-rows.ts'
import type { ResultsForm } from './results/results.ts'
import type { StudioService } from './service.ts'
import type { KindUsage } from './usage.ts'
import type { Uploads } from './uploads.ts'

export { actionsOf } from './job-state.ts'
export type { JobChange, PublicJob } from './jobs.ts'
export { createMediaHandler, type MediaHandler } from './media-handler.ts'
export type { StoredRow } from './results/batch-rows.ts'
export type { StudioService } from './service.ts'
export { createJobs } from './create-jobs.ts'

/** The dependencies of the studio, which open-core.ts provides. */
export interface StudioOptions {
  readonly store: Pick<Store, 'jobs' | 'jobFiles' | 'jobParts' | 'deliveredFiles' | 'receipts'>
  readonly spool: Spool
  readonly service: StudioService
  readonly payer: Pick<Payer, 'get' | 'pay' | 'decline' | 'retry' | 'settled' | 'changes'>
  /** Removes metadata from a JPEG, PNG or WebP image. Throws if the bytes aren't such an image. */
  readonly removeMetadata: (bytes: Uint8Array) => Uint8Array
  /** Unix ms. */
  readonly now: () => number
  /** Waits, or rejects with the reason of the signal. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * The caller and the time of a request: the signal cancels the request for a price, and nothing that was
 * sent.
 */
interface Asked {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** A job to start. */
export interface NewJob extends Asked {
  readonly ask: JobAsk
  readonly pay: PayWay
  /** The highest cost, in pico-USD as decimal text. */
  readonly most?: string | undefined
}

/**
 * All requests to the service other than chat. Each is a job, which is written before anything is sent and
 * which continues after a restart. A job that the balance pays is never sent twice automatically. A job
 * that is paid per request follows its purchase (docs/decisions/0009).
 */
export interface Studio extends AsyncDisposable {
  readonly jobs: Jobs
  readonly uploads: Uploads
  readonly links: Links
  /** Throws request/invalid, service/…, model/unknown, privacy/path, studio/…. */
  estimate(ask: JobAsk): Promise<JobEstimate>
  /** Implements `start` of the contract. */
  start(asked: NewJob): Promise<JobRecord>
  /** Implements `again` of the contract. */
  again(
    id: string,
    asked: Asked & { readonly pay?: PayWay | undefined; readonly most?: string | undefined },
  ): Promise<JobRecord>
  /**
   * Sends a job that is `ready`. The balance or the rows of a batch pay; otherwise the payer pays the
   * purchase. Throws studio/invalid-state, service/no-account.
   */
  send(id: string): JobRecord
  /** The job, updated to the current state of its purchase. */
  settled(id: string): Promise<JobRecord>
  /** Implements `stop` of the contract. Running requests are completed. Throws studio/invalid-state. */
  stop(id: string): JobRecord
  /** Implements `pause` of the contract. Running requests are completed. Throws studio/invalid-state. */
  pause(id: string): JobRecord
  /**
   * Implements `resume` of the contract. Throws studio/invalid-state, and service/no-account if another
   * account started the job. `rows`: states of batch rows that are sent again although they were sent.
   */
  resume(
    id: string,
    how?: {
      readonly rows?: readonly ('failed' | 'unknown')[] | undefined
      readonly most?: string | undefined
    },
  ): JobRecord
  /** Implements `poll` of the contract. Throws studio/invalid-state, service/…. */
  poll(id: string): Promise<JobRecord>
  /**
   * Implements `compare` of the contract. `whole`: all records of that time were read. Throws
   * studio/invalid-state, service/….
   */
  compare(id: string, signal: AbortSignal): Promise<{ readonly matches: JobMatch[]; readonly whole: boolean }>
  /** The newest jobs first. */
  list(question: JobsQuestion): ListedJobs
  /** Hides jobs that have ended, and deletes them after `undoMs`. */
  remove(ids: readonly string[]): { readonly removed: string[]; readonly undoMs: number }
  /** Undoes a removal. Returns the jobs that still existed. */
  restore(ids: readonly string[]): readonly JobRecord[]
  usage(): readonly KindUsage[]
  /**
   * A link to one ZIP file (./export-jobs.ts). Throws studio/unknown, and request/invalid if the jobs don't
   * fit into one file.
   */
  export(ids: readonly string[]): { readonly path: string; readonly expiresAt: number; readonly name: string }
  /** Throws studio/unknown, studio/invalid-state. */
  transcript(id: string): Promise<Transcript>
  /** Implements `table` of the contract. */
  table(asked: {
    readonly file: GivenFile
    readonly header: boolean
    readonly delimiter?: (typeof csvDelimiters)[number] | undefined
  }): Promise<CsvTable>
  /** Throws studio/unknown, and studio/invalid-state if the job isn't a batch. */
  rows(id: string, question: RowsQuestion): Promise<RowsPage>
  /**
   * The row with its whole response. Throws studio/unknown, and studio/invalid-state if the job isn't a
   * batch.
   */
  row(id: string, index: number): Promise<StoredRow>
  /** Throws studio/unknown, and studio/invalid-state if the job isn't an embedding. */
  vectors(id: string, from: number, limit: number): Promise<VectorPage>
  /**
   * A link to one file of the results of a batch or an embedding. Throws studio/unknown,
   * studio/invalid-state.
   */
  results(
    id: string,
    form: ResultsForm,
  ): { readonly path: string; readonly expiresAt: number; readonly name: string }
  /** All jobs that may still continue, and those whose outcome is unknown. */
  open(): readonly JobRecord[]
  /** A link that expires after 15 minutes (`expiresAt` in Unix ms). Throws studio/unknown. */
  link(id: string, index: number, download: boolean): { readonly path: string; readonly expiresAt: number }
  /** Streams speech while it arrives. Throws studio/invalid-state, studio/unknown. */
  listen(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly expiresAt: number; readonly type: string }>
  /** Continues the jobs of an earlier process after a start. Never sends, never pays. */
  resumeAll(): void
  /** The computer slept, or may have: asks the service at once for the progress of all jobs. */
  wake(): void
}
