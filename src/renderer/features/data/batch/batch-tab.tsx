import { useScopedState } from '../../../data/use-answer.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import { BatchPage } from './batch-page.tsx'
import { shownBatch } from './batch-store.ts'
import { BatchesList } from './batches-list.tsx'
import { NewBatch } from './new-batch.tsx'
import styles from './batch.module.css'

/**
 * Batches, which send one lookup for every row of a table: the form and the list of batches, or the selected
 * batch.
 */
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
