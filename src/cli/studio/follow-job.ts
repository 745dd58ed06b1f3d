import { formatDuration } from '../../shared/duration.ts'
import type { Job } from '../../shared/job.ts'
import { CommandFailure, failureOf, type ContractClient } from '../client.ts'
import { shortened } from './labels.ts'
import { terminalSafe } from '../format.ts'

/**
 * Waits until `enough` is true for a job, and reports each change. Throws studio/unknown if the job is removed, and host/already-running if the
 * Sotto that runs it quits.
 */
export async function followJob(
  client: ContractClient,
  jobId: string,
  {
    enough,
    onChange,
    signal,
  }: {
    readonly enough: (job: Job) => boolean
    readonly onChange: (job: Job) => void
    readonly signal?: AbortSignal
  },
): Promise<Job> {
  const seen = (job: Job): boolean => {
    onChange(job)
    return enough(job)
  }
  try {
    let first = true
    for await (const { jobs, removed } of await client.studio.watch(undefined, signal ? { signal } : {})) {
      // The job may have ended before the watch began. Later changes are all reported.
      const changed = first ? await client.studio.get({ jobId }) : jobs.find(({ id }) => id === jobId)
      first = false
      if (changed && seen(changed)) return changed
      if (removed.includes(jobId)) break
    }
  } catch (thrown) {
    if (signal?.aborted || failureOf(thrown)) throw thrown
    throw new CommandFailure({
      code: 'host/already-running',
      says: 'Sotto quit while the job was running.',
      remedy: `The job is saved. To continue, run "sotto jobs wait ${jobId}".`,
    })
  }
  // An aborted watch ends like a finished one.
  signal?.throwIfAborted()
  // The watch ended or the job was removed: this call finds out which.
  return client.studio.get({ jobId })
}

const GOES_ON = new Set(['paying', 'sending', 'working', 'saving'])

/** Whether a job makes no more progress without a new command. */
export function hasSettled({ state }: Pick<Job, 'state'>): boolean {
  return !GOES_ON.has(state)
}

const TICK_MS = 1000
const WIDTH = 80

/** A progress line at the bottom of a terminal, with the elapsed time. Without a terminal it shows nothing. */
export class ProgressLine {
  readonly #stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>
  #text = ''
  #since = 0
  #timer: NodeJS.Timeout | undefined

  constructor(stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>) {
    this.#stream = stream
  }

  /** @param since Unix ms from which the time is counted; by default from when a text was first shown */
  show(text: string, since?: number): void {
    if (!this.#stream.isTTY) return
    this.#since = since ?? (this.#since || Date.now())
    this.#text = text
    this.#timer ??= setInterval(() => this.#draw(), TICK_MS).unref()
    this.#draw()
  }

  /** A line that stays, for a person. */
  msg(line: string): void {
    this.#clear()
    this.#stream.write(`${terminalSafe(line)}\n`)
    if (this.#text !== '') this.#draw()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#clear()
    this.#text = ''
    this.#since = 0
  }

  #draw(): void {
    const line = terminalSafe(`${this.#text} · ${formatDuration(Date.now() - this.#since)}`)
    // Cut by whole characters: a longer line would wrap, and could not be drawn over.
    this.#stream.write(`\r\u001b[K${shortened(line, (this.#stream.columns || WIDTH) - 1)}`)
  }

  #clear(): void {
    if (this.#text !== '' && this.#stream.isTTY) this.#stream.write('\r\u001b[K')
  }
}
