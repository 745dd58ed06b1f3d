import { ChangeFeed } from '../../shared/change-feed.ts'
import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { Job } from '../../shared/job.ts'
import type { Store } from '../storage/index.ts'
import { nextJob, type JobEvent } from './job-state.ts'

/** A change that listeners receive. */
export interface JobChange {
  readonly jobId: string
  /** null if the job was removed. */
  readonly job: PublicJob | null
}

/** A record with members that aren't stored. */
export type PublicJob = JobRecord & Pick<Job, 'onItsWay'>

/** How many times listeners are notified while a file is sent. */
const STEPS = 100

/** The stored jobs, the rules for their changes, and the listeners. */
export class Jobs {
  readonly store: Store['jobs']
  readonly #now: () => number
  readonly #feed = new ChangeFeed<JobChange>()
  readonly #listeners = new Set<(change: JobChange) => void>()

  constructor(store: Store['jobs'], now: () => number) {
    this.store = store
    this.#now = now
  }

  /** Throws studio/unknown. */
  of(id: string): JobRecord {
    const job = this.store.get(id)
    if (!job) throw new SottoError('studio/unknown')
    return job
  }

  /**
   * Writes the job before it returns. A later state always has a later `changedAt`, even if the clock was
   * set back. Throws store/unwritable; nothing is changed then.
   */
  put(job: JobRecord): JobRecord {
    const changed = { ...job, changedAt: Math.max(Math.trunc(this.#now()), job.changedAt + 1) }
    this.store.put(changed)
    this.tell({ jobId: job.id, job: changed })
    return changed
  }

  /**
   * Applies the events and writes the job before it returns. Throws store/unwritable, studio/unknown;
   * nothing is changed then.
   */
  apply(id: string, ...events: readonly JobEvent[]): JobRecord {
    const job = this.of(id)
    const next = events.reduce(nextJob, job)
    return next === job ? job : this.put(next)
  }

  /** The content of a file that is being sent. Listeners are notified of the progress as it's read. */
  async *onItsWay(
    id: string,
    content: AsyncIterable<Uint8Array>,
    of: number,
  ): AsyncGenerator<Uint8Array, void> {
    let sent = 0
    let reported = 0
    for await (const bytes of content) {
      const length = bytes.byteLength
      yield bytes
      // When the reader requests the next piece, it has sent this one.
      sent += length
      if (sent < of && sent - reported < of / STEPS) continue
      reported = sent
      const job = this.store.get(id)
      if (job?.state === 'sending') this.tell({ jobId: id, job: { ...job, onItsWay: { sent, of } } })
    }
  }

  /** Notifies every listener before it returns. */
  tell(change: JobChange): void {
    this.#feed.note(change.jobId, change)
    for (const listener of [...this.#listeners]) listener(change)
  }

  /** @returns a function that removes the listener */
  onChange(listener: (change: JobChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * All changes from now on, each with the newest state of a job. A slow reader misses states in between.
   */
  changes(signal: AbortSignal): AsyncGenerator<readonly JobChange[], void> {
    return this.#feed.read(signal)
  }
}
