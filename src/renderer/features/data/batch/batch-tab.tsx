import { useScopedState } from '../../../data/use-answer.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import { BatchPage } from './batch-page.tsx'
import { shownBatch } from './batch-store.ts'
import { BatchesList } from './batches-list.tsx'
import { NewBatch } from './new-batch.tsx'
import styles from './batch.module.css'

/** One lookup asked for every row of a table: a new one and those that were run, or the one that is looked at. */
export function BatchTab() {
  const { jobId } = useScopedState(shownBatch)
  const job = useJobs()[jobId ?? '']
  if (job) return <BatchPage key={job.id} job={job} />
  return (
    <div className={styles.tab}>
      <NewBatch />
      <BatchesList />
    </div>
  )
}
