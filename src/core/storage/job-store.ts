import type { JobKind } from '../../shared/job-ask.ts'
import type { JobPart, JobRecord } from '../../shared/job-record.ts'
import type { RowState } from '../../shared/job-rows.ts'

/** Jobs with their rows and files. Throws as Store does. */
export interface JobStore {
  /**
   * All requests to the service other than chat; core/jobs has the rules. No list and no lookup includes a
   * hidden job.
   */
  readonly jobs: {
    /** Returns once the job is durable, also after a power failure. */
    put(job: JobRecord): void
    get(id: string): JobRecord | null
    ofPurchase(purchaseId: string): JobRecord | null
    /**
     * All jobs that aren't done, failed, stopped or lost, the oldest first. A job that can't be decrypted
     * is skipped.
     */
    open(): JobRecord[]
    /** The newest jobs before this place. */
    list(question: {
      readonly kinds?: readonly JobKind[]
      readonly before?: number
      readonly limit: number
    }): { readonly place: number; readonly job: JobRecord }[]
    /** Returns false if there is nothing to hide. */
    hide(id: string): boolean
    /** Returns false if the job isn't hidden. */
    takeBack(id: string): boolean
    /** The ids of hidden jobs, and the purchase of one. */
    hidden(): string[]
    hiddenPurchase(id: string): string | null
    /** Removes the job with its parts, but not its files. */
    remove(id: string): void
  }
  /** The rows of batches, by index. A row in its initial state isn't stored. */
  readonly jobParts: {
    /** Returns once the row is durable, also after a power failure. */
    put(jobId: string, part: JobPart): void
    get(jobId: string, part: number): JobPart | null
    /** Rows in their order, from this index on. */
    list(
      jobId: string,
      question: { readonly from: number; readonly limit: number; readonly states?: readonly RowState[] },
    ): JobPart[]
    /** Rows in these states, after skipping the first ones. */
    nth(
      jobId: string,
      question: { readonly skip: number; readonly limit: number; readonly states: readonly RowState[] },
    ): JobPart[]
    /** Only the indexes. */
    places(jobId: string, states: readonly RowState[]): number[]
    count(jobId: string, states: readonly RowState[]): number
  }
  /** The sealed files of jobs. */
  readonly jobFiles: {
    /**
     * Replaces a file, and returns its size in bytes. Throws the errors of the content; nothing is stored
     * then.
     */
    save(jobId: string, index: number, content: AsyncIterable<Uint8Array>): Promise<number>
    /**
     * Refers to a file of a payment or another job, without copying its bytes. Returns its size in bytes,
     * or null if it doesn't exist.
     */
    adopt(
      jobId: string,
      index: number,
      from:
        | { readonly paymentId: string; readonly index: number }
        | { readonly jobId: string; readonly index: number },
    ): Promise<number | null>
    /** In bytes; null if the file doesn't exist. */
    size(jobId: string, index: number): number | null
    /** Reads from this byte on; null if the file doesn't exist. Throws store/damaged during the read. */
    stream(jobId: string, index: number, from?: number): AsyncIterable<Uint8Array> | null
    /** Removes all files of the job, or one. */
    remove(jobId: string, index?: number): Promise<void>
  }
}
