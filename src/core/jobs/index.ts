import type { csvDelimiters, GivenFile, JobAsk } from '../../shared/job-ask.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { CsvTable, VectorPage } from '../../shared/job-rows.ts'
import type { JobEstimate, JobMatch, PayWay, Transcript } from '../../shared/job.ts'
import type { Caller } from '../../shared/receipt.ts'
import type { Payer } from '../payments/index.ts'
import type { Store } from '../storage/index.ts'
import type { Jobs } from './jobs.ts'
import type { Links } from './links.ts'
import type { JobsQuestion, ListedJobs } from './list-jobs.ts'
import type { StoredRow, RowsPage, RowsQuestion } from './results/batch-rows.ts'
import type { ResultsForm } from './results/results.ts'
import type { StudioService } from './service.ts'
import type { KindUsage } from './usage.ts'
import type { Uploads, UploadSpool } from './uploads.ts'

export { actionsOf } from './job-state.ts'
export type { JobChange, PublicJob } from './jobs.ts'
export { createMediaHandler, type MediaHandler } from './media-handler.ts'
export type { StoredRow } from './results/batch-rows.ts'
export type { StudioService } from './service.ts'
export { createJobs } from './create-jobs.ts'

/** What the studio is opened over: open-core.ts gives it its ways out. */
export interface StudioOptions {
  readonly store: Pick<Store, 'jobs' | 'jobFiles' | 'jobParts' | 'deliveredFiles' | 'receipts'>
  readonly spool: UploadSpool
  readonly service: StudioService
  readonly payer: Pick<Payer, 'get' | 'pay' | 'decline' | 'retry' | 'changes'>
  /** Takes out of a JPEG, PNG or WebP image what was written beside the picture. Throws where it is none. */
  readonly strip: (bytes: Uint8Array) => Uint8Array
  /** Unix ms. */
  readonly now: () => number
  /** Waits, or rejects with the signal. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** By whom, and for how long: the signal ends the asking for a price, and nothing that was sent. */
interface Asked {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** A job that is to begin. */
export interface NewJob extends Asked {
  readonly ask: JobAsk
  readonly pay: PayWay
  /** Pico-USD, as decimal text: what it may cost. */
  readonly most?: string | undefined
}

/**
 * What is asked of the service beside chat: each a job, written before anything leaves, that goes on after a restart. From
 * the balance nothing is sent twice by itself; what is paid by itself follows its purchase (docs/decisions/0009).
 */
export interface Studio extends AsyncDisposable {
  readonly jobs: Jobs
  readonly uploads: Uploads
  readonly links: Links
  /** Throws request/invalid, service/…, model/unknown, privacy/path, studio/…. */
  estimate(ask: JobAsk): Promise<JobEstimate>
  /** As the contract's start. */
  start(asked: NewJob): Promise<JobRecord>
  /** As the contract's again. */
  again(
    id: string,
    asked: Asked & { readonly pay?: PayWay | undefined; readonly most?: string | undefined },
  ): Promise<JobRecord>
  /** Of one that is `ready`: from the balance it leaves, and so does a batch; what else is paid by itself the payer pays. Throws studio/invalid-state, service/no-account. */
  send(id: string): JobRecord
  /** With what its purchase has come to by now. */
  settled(id: string): Promise<JobRecord>
  /** The contract's stop. Waits for running requests. Throws studio/invalid-state. */
  stop(id: string): JobRecord
  /** The contract's pause. Waits for running requests. Throws studio/invalid-state. */
  pause(id: string): JobRecord
  /**
   * As the contract's resume. Throws studio/invalid-state, service/no-account where it was begun from another account. `rows`: of a batch,
   * those that are sent again though they were sent.
   */
  resume(
    id: string,
    how?: {
      readonly rows?: readonly ('failed' | 'unknown')[] | undefined
      readonly most?: string | undefined
    },
  ): JobRecord
  /** As the contract's poll. Throws studio/invalid-state, service/…. */
  poll(id: string): Promise<JobRecord>
  /** As the contract's compare. `whole`: all records of that time were read. Throws studio/invalid-state, service/…. */
  compare(id: string, signal: AbortSignal): Promise<{ readonly matches: JobMatch[]; readonly whole: boolean }>
  /** The newest first. */
  list(question: JobsQuestion): ListedJobs
  /** Hides those that have ended, and deletes them after `undoMs`. */
  remove(ids: readonly string[]): { readonly removed: string[]; readonly undoMs: number }
  /** Takes a removal back: those that were still there. */
  restore(ids: readonly string[]): readonly JobRecord[]
  usage(): readonly KindUsage[]
  /** A link to one ZIP file (./export-jobs.ts). Throws studio/unknown; request/invalid where they do not fit into one. */
  export(ids: readonly string[]): { readonly path: string; readonly expiresAt: number; readonly name: string }
  /** Throws studio/unknown, studio/invalid-state. */
  transcript(id: string): Promise<Transcript>
  /** As the contract's. */
  table(asked: {
    readonly file: GivenFile
    readonly header: boolean
    readonly delimiter?: (typeof csvDelimiters)[number] | undefined
  }): Promise<CsvTable>
  /** Throws studio/unknown, studio/invalid-state where it is no batch. */
  rows(id: string, question: RowsQuestion): Promise<RowsPage>
  /** With the whole of its answer. Throws studio/unknown, studio/invalid-state where it is no batch. */
  row(id: string, index: number): Promise<StoredRow>
  /** Throws studio/unknown, studio/invalid-state where it is no embedding. */
  vectors(id: string, from: number, limit: number): Promise<VectorPage>
  /** A link to one file of what a batch or an embedding has come to. Throws studio/unknown, studio/invalid-state. */
  results(
    id: string,
    form: ResultsForm,
  ): { readonly path: string; readonly expiresAt: number; readonly name: string }
  /** All that may still go on, and those whose end is unknown. */
  open(): readonly JobRecord[]
  /** For fifteen minutes (`expiresAt` in Unix ms). Throws studio/unknown. */
  link(id: string, index: number, download: boolean): { readonly path: string; readonly expiresAt: number }
  /** Speech that is under way, as it comes. Throws studio/invalid-state, studio/unknown. */
  listen(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly expiresAt: number; readonly type: string }>
  /** After a start: goes on with what another process began. Never sends, never pays. */
  resumeAll(): void
  /** The machine slept, or may have: the service is asked at once how far things are. */
  wake(): void
}
