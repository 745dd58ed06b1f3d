import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { JobAsk } from '../../../shared/job-ask.ts'
import { hasEnded } from '../../../shared/job-state.ts'
import type { Job, PayWay } from '../../../shared/job.ts'
import { currentScope, useScope, type Scope } from '../../data/service-scope.tsx'
import { readScopedState, setScopedState, useScopedState, type ScopedState } from '../../data/use-answer.ts'
import { watch } from '../../data/watch.ts'
import { api } from '../api.ts'
import { asFailure } from '../failure.ts'
import { useStatus } from '../status-store.ts'
import { allowedOnce } from './allowed-once.ts'

type Jobs = Readonly<Record<string, Job>>

/** The jobs in progress and those that a list has loaded, by their IDs. */
export const knownJobs: ScopedState<Jobs> = { key: ['jobs'], initial: {} }

/** Whether the jobs are followed. Otherwise they are shown as of the last event. */
export const jobsFollowed: ScopedState<boolean> = { key: ['jobs-followed'], initial: false }

export function useJobs(): Jobs {
  return useScopedState(knownJobs)
}

export function putJobs(scope: Scope, jobs: readonly Job[]): void {
  if (jobs.length === 0) return
  setScopedState(scope, knownJobs, (known) => {
    // An answer and the stream can come in either order, so the later change wins.
    const newer = jobs.filter(({ id, changedAt }) => (known[id]?.changedAt ?? 0) <= changedAt)
    return { ...known, ...Object.fromEntries(newer.map((job) => [job.id, job])) }
  })
}

export function forgetJobs(scope: Scope, ids: readonly string[]): void {
  const gone = new Set(ids)
  if (ids.length > 0)
    setScopedState(scope, knownJobs, (known) =>
      Object.fromEntries(Object.entries(known).filter(([id]) => !gone.has(id))),
    )
}

/** Shows the job that a call answers. Throws what the call throws. */
export async function showJob(asked: Promise<Job>, scope = currentScope()): Promise<Job> {
  const job = await asked
  putJobs(scope, [job])
  return job
}

/** Starts a job after the person allowed the exposure. The job is shown before this resolves. */
export async function startJob(ask: JobAsk, pay: PayWay, signal?: AbortSignal): Promise<Job> {
  return showJob(
    allowedOnce(ask, (consent) => api.studio.start({ ask, pay, ...consent }, signal ? { signal } : {})),
  )
}

/** Follows the jobs while the component is mounted. */
export function useFollowedJobs(): void {
  const scope = useScope()
  useEffect(() => {
    const left = new AbortController()
    void watch(
      {
        open: (signal) => api.studio.watch(undefined, { signal }),
        onEvent: ({ jobs, removed }, first) => {
          putJobs(scope, jobs)
          forgetJobs(scope, removed)
          if (first) void refreshOthers(scope, new Set(jobs.map(({ id }) => id)), left.signal)
        },
        onState: ({ following }) => setScopedState(scope, jobsFollowed, () => following),
      },
      left.signal,
    )
    return () => left.abort()
  }, [scope])
}

/** Loads the jobs that were in progress and ended while no stream was connected. */
async function refreshOthers(scope: Scope, open: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
  const stale = Object.values(readScopedState(scope, knownJobs)).filter(
    ({ id, state }) => !hasEnded(state) && !open.has(id),
  )
  for (const { id } of stale) {
    try {
      await showJob(api.studio.get({ jobId: id }, { signal }), scope)
    } catch (thrown) {
      if (signal.aborted) return
      if (asFailure(thrown).code === 'studio/unknown') forgetJobs(scope, [id])
    }
  }
}

/** Where requests and results are stored, and for how long, as a sentence. */
export function useStoredText(): string {
  const inMemory = useStatus(({ status }) => status?.vault.kind === 'memory')
  return inMemory
    ? t`Your requests and results aren’t saved. They’re deleted when Sotto quits.`
    : t`Your requests and results are saved on this computer, encrypted.`
}
