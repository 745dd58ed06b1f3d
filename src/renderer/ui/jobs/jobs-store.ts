import { create } from 'zustand'
import type { JobAsk } from '../../../shared/job-ask.ts'
import type { Job, PayWay } from '../../../shared/job.ts'
import { watch } from '../../data/watch.ts'
import { api } from '../api.ts'
import { asFailure } from '../failure.ts'
import { onServiceChange, sameService } from '../status-store.ts'
import { allowedOnce } from './allowed-once.ts'
import { hasEnded } from './job-words.ts'

interface JobsState {
  /** By their ids: those that go on, and those that a list has fetched. */
  readonly jobs: Readonly<Record<string, Job>>
  /** Whether what is shown follows what happens; where it does not, it is as of then. */
  readonly following: boolean
}

export const useJobs = create<JobsState>()(() => ({ jobs: {}, following: false }))

onServiceChange(() => {
  useJobs.setState({ jobs: {} })
})

export function putJobs(jobs: readonly Job[]): void {
  if (jobs.length === 0) return
  useJobs.setState((state) => {
    // Of two the later: an answer and what is followed come by two ways.
    const newer = jobs.filter(({ id, changedAt }) => (state.jobs[id]?.changedAt ?? 0) <= changedAt)
    return { jobs: { ...state.jobs, ...Object.fromEntries(newer.map((job) => [job.id, job])) } }
  })
}

export function forgetJobs(ids: readonly string[]): void {
  const gone = new Set(ids)
  if (ids.length > 0)
    useJobs.setState(({ jobs }) => ({
      jobs: Object.fromEntries(Object.entries(jobs).filter(([id]) => !gone.has(id))),
    }))
}

/** Shows what a call answers of a job, unless its service was left meanwhile. Throws what the call throws. */
export async function showJob(asked: Promise<Job>): Promise<Job> {
  const still = sameService()
  const job = await asked
  if (still()) putJobs([job])
  return job
}

/** As the contract's `start`, once what it exposes was allowed; what came of it is in the store before this answers. */
export async function startJob(ask: JobAsk, pay: PayWay, signal?: AbortSignal): Promise<Job> {
  return showJob(
    allowedOnce(ask, (consent) => api.studio.start({ ask, pay, ...consent }, signal ? { signal } : {})),
  )
}

let followers = 0
let leaving = new AbortController()

/** Follows what happens to jobs until the last who asked for it leaves; where the door breaks off, it is asked again. */
export function followJobs(): () => void {
  followers++
  if (followers === 1) {
    leaving = new AbortController()
    void follow(leaving.signal)
  }
  return () => {
    followers--
    if (followers === 0) leaving.abort()
  }
}

function follow(signal: AbortSignal): Promise<void> {
  return watch(
    {
      open: (left) => api.studio.watch(undefined, { signal: left }),
      onEvent: ({ jobs, removed }, first) => {
        putJobs(jobs)
        forgetJobs(removed)
        if (first) void refreshOthers(new Set(jobs.map(({ id }) => id)), signal)
      },
      // Without a stream, the jobs are shown as of the last event.
      onState: ({ following }) => useJobs.setState({ following }),
    },
    signal,
  )
}

/** What went on when it was looked at last, and ended while nobody followed. */
async function refreshOthers(open: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  const stale = Object.values(useJobs.getState().jobs).filter(
    ({ id, state }) => !hasEnded(state) && !open.has(id),
  )
  for (const { id } of stale) {
    try {
      await showJob(api.studio.get({ jobId: id }, { signal }))
    } catch (thrown) {
      if (signal.aborted) return
      if (asFailure(thrown).code === 'studio/unknown') forgetJobs([id])
    }
  }
}
