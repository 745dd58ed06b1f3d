import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Job } from '../../../shared/job.ts'
import { useScopedState } from '../../data/use-answer.ts'
import { Button } from '../button.tsx'
import { EmptyState, type EmptyStateProps } from '../empty-state.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Hidden } from '../hidden.tsx'
import { t } from '@lingui/core/macro'
import styles from './job-list.module.css'
import { jobsFollowed } from './jobs-store.ts'
import { UndoJobs } from './undo-jobs.tsx'
import type { JobList as List } from './use-job-list.ts'
import { Skeleton } from '../skeleton.tsx'

/** A list of jobs, newest first; `nothing` is shown if it is empty. */
export function JobList({
  label,
  list: { jobs, failure, more, busy, older, again },
  nothing,
  grid = false,
  children,
}: {
  label: string
  list: List
  nothing: EmptyStateProps
  /** As many columns as fit, instead of one. */
  grid?: boolean
  children: (job: Job) => ReactNode
}) {
  const following = useScopedState(jobsFollowed)
  return (
    <section aria-label={label} className={styles.list}>
      <h2>
        <Hidden>{label}</Hidden>
      </h2>
      {failure && <FailureNote failure={failure} onRetry={again} />}
      {!jobs && !failure && <Skeleton label={t`Loading…`} />}
      {jobs && !following && (
        <p role="status" className={styles.quiet}>
          <Trans>Not up to date. Waiting for Sotto.</Trans>
        </p>
      )}
      {jobs?.length === 0 && !failure && <EmptyState {...nothing} />}
      {jobs && jobs.length > 0 && (
        <ul className={grid ? styles.grid : styles.jobs}>
          {jobs.map((job) => (
            <li key={job.id}>{children(job)}</li>
          ))}
        </ul>
      )}
      {more && (
        <p className={styles.more}>
          <Button onClick={older} busy={busy && t`Loading more…`}>
            <Trans>Show older</Trans>
          </Button>
        </p>
      )}
      <UndoJobs />
    </section>
  )
}
