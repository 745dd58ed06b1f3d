import { t } from '@lingui/core/macro'
import { Rows3 } from 'lucide-react'
import type { Job } from '../../../../shared/job.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { Moment } from '../../../ui/moment.tsx'
import { batchState, batchTitle, costOf, countsOf } from './batch-words.ts'
import { showBatch } from './batch-store.ts'
import kept from '../kept.module.css'
import styles from './batch.module.css'

/** Batches that run or were run. */
export function BatchesList() {
  const list = useJobList(['batch'])
  return (
    <section aria-label={t`Batches`}>
      <h2>{t`Batches`}</h2>
      <JobList label={t`Saved batches`} list={list} nothing={{ icon: Rows3, title: t`No batches yet` }}>
        {(job) => <Entry job={job} />}
      </JobList>
    </section>
  )
}

function Entry({ job }: { job: Job }) {
  return (
    <button type="button" className={kept.entry} onClick={() => showBatch(job.id)}>
      <span className={kept.entryName}>{batchTitle(job)}</span>
      <span className={kept.entryState}>{batchState(job).name}</span>
      <span className={styles.quiet}>{countsOf(job)}</span>
      <span className={kept.entryState}>
        <Moment at={job.at} />
        {costOf(job) !== undefined && <> · {costOf(job)}</>}
      </span>
    </button>
  )
}
