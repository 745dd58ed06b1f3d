import { plural, t } from '@lingui/core/macro'
import { create } from 'zustand'
import type { Job } from '../../../shared/job.ts'
import { announce } from '../announcer.tsx'
import { api } from '../api.ts'
import { onServiceChange, sameService } from '../status-store.ts'
import { titleOf } from './job-words.ts'
import { forgetJobs, putJobs } from './jobs-store.ts'

interface Undoable {
  readonly says: string
  readonly jobIds: readonly string[]
}

/** What was removed last, as long as it can be taken back. */
export const useRemovedJobs = create<{ readonly last: Undoable | undefined }>()(() => ({ last: undefined }))

let timer: ReturnType<typeof setTimeout> | undefined

onServiceChange(forget)

function forget(): void {
  clearTimeout(timer)
  useRemovedJobs.setState({ last: undefined })
}

/** Hides jobs that have ended; the core deletes them with their files when the time to undo has passed. Throws what the call throws. */
export async function removeJobs(jobs: readonly Job[]): Promise<void> {
  const still = sameService()
  const { removed, undoMs } = await api.studio.remove({ jobIds: jobs.map(({ id }) => id) })
  if (!still()) return
  forgetJobs(removed)
  forget()
  const [first] = jobs
  if (removed.length === 0 || !first) return
  const title = titleOf(first)
  const says =
    removed.length === 1
      ? t`“${title}” deleted.`
      : plural(removed.length, { one: '# item deleted.', other: '# items deleted.' })
  useRemovedJobs.setState({ last: { says, jobIds: removed } })
  const seconds = Math.round(undoMs / 1000)
  announce(
    plural(seconds, {
      one: `${says} You can undo this for # second.`,
      other: `${says} You can undo this for # seconds.`,
    }),
  )
  timer = setTimeout(forget, undoMs)
}

/** Throws what the call throws. */
export async function takeJobsBack(): Promise<void> {
  const { last } = useRemovedJobs.getState()
  if (!last) return
  const still = sameService()
  const restored = await api.studio.restore({ jobIds: [...last.jobIds] })
  if (!still()) return
  putJobs(restored)
  // What was deleted meanwhile can still be taken back.
  if (useRemovedJobs.getState().last === last) forget()
  announce(t`Restored`)
}
