import { useScopedState } from '../../../data/use-answer.ts'
import { useJobs } from '../../../ui/jobs/jobs-store.ts'
import { EmbeddingPage } from './embedding-page.tsx'
import { shownEmbedding } from './embedding-store.ts'
import { EmbeddingsList } from './embeddings-list.tsx'
import styles from './embeddings.module.css'
import { NewEmbedding } from './new-embedding.tsx'

/** Texts as vectors: the form and the saved embeddings, or the selected embedding. */
export function EmbeddingsTab() {
  const jobId = useScopedState(shownEmbedding)
  const job = useJobs()[jobId ?? '']
  if (job) return <EmbeddingPage key={job.id} job={job} />
  return (
    <div className={styles.tab}>
      <NewEmbedding />
      <EmbeddingsList />
    </div>
  )
}
