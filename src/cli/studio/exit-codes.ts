import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { JobState } from '../../shared/job.ts'

/** What the commands end with that have something made. */
export const jobExit = { done: 0, failed: 1, unusable: 2, unknown: 3, stopped: 130 } as const

export const exitHelp = `
Exit codes:
  0    done
  1    refused, failed or stopped; the code says why
  2    what was handed over cannot be used: nothing was sent
  3    nobody knows whether it was done and charged, or what was made is gone
  130  stopped with Ctrl-C; what becomes of the job is said

It is readable by the service. What was made is kept sealed on this machine: "sotto jobs" has it again.`

/** Of files and of words, before anything is sent. */
const UNUSABLE = new Set([
  'request/invalid', 'studio/file-empty', 'studio/file-too-large', 'studio/image-type', 'studio/image-broken', 'studio/image-too-large', 'studio/audio-type', 'studio/audio-too-large',
  'studio/audio-broken', 'studio/parameter-clash', 'studio/upload-broken', 'studio/text-encoding', 'studio/texts-none', 'studio/texts-many', 'studio/text-long', 'studio/csv-broken',
  'studio/csv-empty', 'studio/csv-rows', 'studio/csv-column',
])

/** 2 where what was handed over was refused before anything was sent, and else 1. */
export function exitOfFailure({ code }: Pick<Failure, 'code'>): number {
  return UNUSABLE.has(code) ? jobExit.unusable : jobExit.failed
}

/** Of a job that goes no further by itself. */
export function exitOfState(state: JobState): number {
  if (state === 'done') return jobExit.done
  return state === 'unknown' || state === 'lost' ? jobExit.unknown : jobExit.failed
}
