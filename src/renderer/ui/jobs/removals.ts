import { plural, t } from '@lingui/core/macro'
import type { Job } from '../../../shared/job.ts'
import { currentScope, type Scope } from '../../data/service-scope.tsx'
import { readScopedState, setScopedState, type ScopedState } from '../../data/use-answer.ts'
import { announce } from '../announcer.tsx'
import { api } from '../api.ts'
import { titleOf } from './job-words.ts'
import { forgetJobs, putJobs } from './jobs-store.ts'

interface Undoable {
  /** The first of the removed jobs. */
  readonly first: Job
  readonly jobIds: readonly string[]
}

/** The last removal while it can be undone. */
export const removedJobs: ScopedState<Undoable | null> = { key: ['removed-jobs'], initial: null }

let timer: ReturnType<typeof setTimeout> | undefined

function forget(scope: Scope): void {
  clearTimeout(timer)
  setScopedState(scope, removedJobs, () => null)
}

/** Hides jobs that have ended; the core deletes them with their files when the time to undo has passed. Throws what the call throws. */
export async function removeJobs(jobs: readonly Job[]): Promise<void> {
  const scope = currentScope()
  const { removed, undoMs } = await api.studio.remove({ jobIds: jobs.map(({ id }) => id) })
  if (scope !== currentScope()) return
  forgetJobs(scope, removed)
  forget(scope)
  const [first] = jobs
  if (removed.length === 0 || !first) return
  const last = { first, jobIds: removed }
  setScopedState(scope, removedJobs, () => last)
  const says = removalWords(last)
  const seconds = Math.round(undoMs / 1000)
  announce(
    plural(seconds, {
      one: `${says} You can undo this for # second.`,
      other: `${says} You can undo this for # seconds.`,
    }),
  )
  timer = setTimeout(() => forget(scope), undoMs)
}

/** Names the deleted job, or counts the jobs. */
export function removalWords({ first, jobIds }: Undoable): string {
  const title = titleOf(first)
  return jobIds.length === 1
    ? t`“${title}” deleted.`
    : plural(jobIds.length, { one: '# item deleted.', other: '# items deleted.' })
}

/** Throws what the call throws. */
export async function takeJobsBack(): Promise<void> {
  const scope = currentScope()
  const last = readScopedState(scope, removedJobs)
  if (!last) return
  const restored = await api.studio.restore({ jobIds: [...last.jobIds] })
  if (scope !== currentScope()) return
  putJobs(scope, restored)
  // Jobs that were deleted since then can still be restored.
  if (readScopedState(scope, removedJobs) === last) forget(scope)
  announce(t`Restored`)
}
