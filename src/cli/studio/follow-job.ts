import type { Job } from '../../shared/job.ts'
import { CommandFailure, failureOf, type DoorClient } from '../door-client.ts'

/**
 * Waits until `enough` is true for a job, and reports each change. Throws studio/unknown if the job is removed, and host/owned if the
 * Sotto that runs it quits.
 */
export async function followJob(
  client: DoorClient,
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
      code: 'host/owned',
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
