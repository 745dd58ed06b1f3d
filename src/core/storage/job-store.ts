import type { JobKind } from '../../shared/job-ask.ts'
import type { JobPart, JobRecord } from '../../shared/job-record.ts'
import type { RowState } from '../../shared/job-rows.ts'

/** Jobs with their rows and files. Throws as Store does. */
export interface JobStore {
  /** What is asked of the service beside chat. core/jobs has the rules. What is hidden is in no list and no look. */
  readonly jobs: {
    /** Returns once it outlives this process and the machine's power. */
    put(job: JobRecord): void
    get(id: string): JobRecord | null
    ofPurchase(purchaseId: string): JobRecord | null
    /** All but what is done, failed, stopped or lost; the first one first. One that does not open is left out: the others go on. */
    open(): JobRecord[]
    /** The newest first, of those before this place. */
    list(question: {
      readonly kinds?: readonly JobKind[]
      readonly before?: number
      readonly limit: number
    }): { readonly place: number; readonly job: JobRecord }[]
    /** False where there is nothing to hide. */
    hide(id: string): boolean
    /** False where it is not hidden. */
    takeBack(id: string): boolean
    /** Ids of what is hidden, and the purchase of one. */
    hidden(): string[]
    hiddenPurchase(id: string): string | null
    /** With its parts, and not its files. */
    remove(id: string): void
  }
  /** Rows of batches, by their place; one of which there is nothing to say has none here. */
  readonly jobParts: {
    /** Returns once it outlives this process and the machine's power. */
    put(jobId: string, part: JobPart): void
    get(jobId: string, part: number): JobPart | null
    /** In their order, from this place on. */
    list(
      jobId: string,
      question: { readonly from: number; readonly limit: number; readonly states?: readonly RowState[] },
    ): JobPart[]
    /** Of those in these states, without so many of the first. */
    nth(
      jobId: string,
      question: { readonly skip: number; readonly limit: number; readonly states: readonly RowState[] },
    ): JobPart[]
    /** Their places alone. */
    places(jobId: string, states: readonly RowState[]): number[]
    count(jobId: string, states: readonly RowState[]): number
  }
  /** The files of jobs, sealed. */
  readonly jobFiles: {
    /** In place of what was there; returns the number of bytes. Throws what the content throws, and then nothing is kept of it. */
    save(jobId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
    /** Names a file that a payment or another job has; the bytes are there once. Null where there is none; else their number. */
    adopt(
      jobId: string,
      index: number,
      from:
        | { readonly paymentId: string; readonly index: number }
        | { readonly jobId: string; readonly index: number },
    ): Promise<number | null>
    /** In bytes; null where there is none. */
    size(jobId: string, index: number): number | null
    /** From this byte on; null where there is none. Throws store/damaged as it is read. */
    stream(jobId: string, index: number, from?: number): AsyncIterable<Uint8Array> | null
    /** All of the job's, or one. */
    remove(jobId: string, index?: number): Promise<void>
  }
}
