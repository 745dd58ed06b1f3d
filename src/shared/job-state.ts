/**
 * The state of a job. `ready`: nothing that costs money was sent; `paying`: its purchase is in progress;
 * `sending`: recorded before the request is sent; `working`: the service accepted it; `saving`: the
 * response is stored, and the files that it names are being fetched. `unknown`: it was in progress and paid
 * from the balance when the connection or this process ended, so it may have been processed and charged.
 * `lost`: it was processed, and its result no longer exists. `paused`, for embeddings and batches: no
 * further part is sent until the owner resumes it; `failure` has the reason unless the owner paused it.
 */
export const jobStates = [
  'ready',
  'paying',
  'sending',
  'working',
  'saving',
  'paused',
  'done',
  'failed',
  'stopped',
  'unknown',
  'lost',
] as const
export type JobState = (typeof jobStates)[number]

/** The job doesn't continue automatically from this state. */
export function hasEnded(state: JobState): boolean {
  return (
    state === 'done' ||
    state === 'failed' ||
    state === 'stopped' ||
    state === 'paused' ||
    state === 'unknown' ||
    state === 'lost'
  )
}
