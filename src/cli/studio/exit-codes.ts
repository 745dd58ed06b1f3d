import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { JobState } from '../../shared/job.ts'

/** Exit codes of the commands that create or wait for jobs. */
export const jobExit = { done: 0, failed: 1, unusable: 2, unknown: 3, stopped: 130 } as const

export const exitHelp = `
Exit codes:
  0    Done
  1    Refused, failed, or stopped. The error code gives the reason
  2    The input can’t be used. Nothing was sent
  3    The outcome is unknown and you may have been charged, or the result’s link expired
  130  Stopped with Ctrl-C. The output explains what happens to the job

The service and its providers can read what you send.
Sotto saves results encrypted on this computer. To list them, run: sotto jobs`

/** Errors about files and parameters that occur before anything is sent. */
const UNUSABLE = new Set([
  'request/invalid',
  'studio/file-empty',
  'studio/file-too-large',
  'studio/image-type',
  'studio/image-broken',
  'studio/image-too-large',
  'studio/audio-type',
  'studio/audio-too-large',
  'studio/audio-broken',
  'studio/parameter-clash',
  'studio/upload-broken',
  'studio/text-encoding',
  'studio/texts-none',
  'studio/texts-many',
  'studio/text-long',
  'studio/csv-broken',
  'studio/csv-empty',
  'studio/csv-rows',
  'studio/csv-column',
])

/** Returns 2 if the input was refused before anything was sent, otherwise 1. */
export function exitOfFailure({ code }: Pick<Failure, 'code'>): number {
  return UNUSABLE.has(code) ? jobExit.unusable : jobExit.failed
}

/** Returns the exit code for a job that has settled. */
export function exitOfState(state: JobState): number {
  if (state === 'done') return jobExit.done
  return state === 'unknown' || state === 'lost' ? jobExit.unknown : jobExit.failed
}
