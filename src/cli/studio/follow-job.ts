import type { Job } from '../../shared/job.ts'
import { CommandFailure, failureOf, type DoorClient } from '../door-client.ts'

/**
 * Waits until `enough` holds of a job, and tells of each change on the way. Throws studio/unknown where it is removed meanwhile,
 * host/owned where the Sotto that goes on with it ends.
 */
export async function followJob(client: DoorClient, jobId: string, { enough, onChange, signal }: { readonly enough: (job: Job) => boolean; readonly onChange: (job: Job) => void; readonly signal?: AbortSignal }): Promise<Job> {
  const seen = (job: Job): boolean => {
    onChange(job)
    return enough(job)
  }
  try {
    let first = true
    for await (const { jobs, removed } of await client.studio.watch(undefined, signal ? { signal } : {})) {
      // It may have ended before the watch began; from here on every change is told.
      const changed = first ? await client.studio.get({ jobId }) : jobs.find(({ id }) => id === jobId)
      first = false
      if (changed && seen(changed)) return changed
      if (removed.includes(jobId)) break
    }
  } catch (thrown) {
    if (signal?.aborted || failureOf(thrown)) throw thrown
    throw new CommandFailure({ code: 'host/owned', says: 'The Sotto that this was done through has ended.', remedy: `What it had begun is written down: "sotto jobs wait ${jobId}" goes on with it.` })
  }
  // A watch that is given up ends like one that has nothing more to say.
  signal?.throwIfAborted()
  // It ended by itself, or the job is gone: this says which.
  return client.studio.get({ jobId })
}

const GOES_ON = new Set(['paying', 'sending', 'working', 'saving'])

/** It goes no further by itself. */
export function hasSettled({ state }: Pick<Job, 'state'>): boolean {
  return !GOES_ON.has(state)
}
