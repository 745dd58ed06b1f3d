import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { Job } from '../../shared/job.ts'
import type { Store } from '../storage/index.ts'
import { nextJob, type JobEvent } from './job-state.ts'

/** What listeners are told of a job. */
export interface JobChange {
  readonly jobId: string
  /** null: it was removed. */
  readonly job: PublicJob | null
}

/** A record, with what is only told. */
export type PublicJob = JobRecord & Pick<Job, 'onItsWay'>

/** How often a file on its way is told of. */
const STEPS = 100

/** The jobs that are kept, with the rules of what one can become, and those who wait for it to change. */
export class Jobs {
  readonly kept: Store['jobs']
  readonly #now: () => number
  readonly #listeners = new Set<(change: JobChange) => void>()

  constructor(kept: Store['jobs'], now: () => number) {
    this.kept = kept
    this.#now = now
  }

  /** Throws studio/unknown. */
  of(id: string): JobRecord {
    const job = this.kept.get(id)
    if (!job) throw new SottoError('studio/unknown')
    return job
  }

  /**
   * Written before it returns. Of two states of a job the later has the later `changedAt`, also where the clock was set back. Throws
   * store/unwritable; then nothing changed.
   */
  put(job: JobRecord): JobRecord {
    const changed = { ...job, changedAt: Math.max(Math.trunc(this.#now()), job.changedAt + 1) }
    this.kept.put(changed)
    this.tell({ jobId: job.id, job: changed })
    return changed
  }

  /** What the events make of it, written before it returns. Throws store/unwritable, studio/unknown; then nothing changed. */
  apply(id: string, ...events: readonly JobEvent[]): JobRecord {
    const job = this.of(id)
    const next = events.reduce(nextJob, job)
    return next === job ? job : this.put(next)
  }

  /** The content of a file of a job that is sent: it is told of as its reader takes it. */
  async *onItsWay(
    id: string,
    content: AsyncIterable<Uint8Array>,
    of: number,
  ): AsyncGenerator<Uint8Array, void> {
    let sent = 0
    let told = 0
    for await (const bytes of content) {
      const length = bytes.byteLength
      yield bytes
      // Whoever comes for the next piece is done with this one.
      sent += length
      if (sent < of && sent - told < of / STEPS) continue
      told = sent
      const job = this.kept.get(id)
      if (job?.state === 'sending') this.tell({ jobId: id, job: { ...job, onItsWay: { sent, of } } })
    }
  }

  /** Tells every listener, before it returns. */
  tell(change: JobChange): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  /** Returns what ends the listening. */
  onChange(listener: (change: JobChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** From now on, each as it last changed; a reader that is slow misses what was changed again meanwhile. */
  async *changes(signal: AbortSignal): AsyncGenerator<readonly JobChange[], void> {
    let waiting = new Map<string, JobChange>()
    let wake = (): void => undefined
    const stop = this.onChange((change) => {
      waiting.set(change.jobId, change)
      wake()
    })
    const woken = (): void => wake()
    signal.addEventListener('abort', woken)
    try {
      // Begun before the first that asks has read what there is.
      yield []
      while (!signal.aborted) {
        if (waiting.size === 0)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        const changed = [...waiting.values()]
        waiting = new Map()
        if (changed.length > 0) yield changed
      }
    } finally {
      signal.removeEventListener('abort', woken)
      stop()
    }
  }
}
