import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Waypoints } from 'lucide-react'
import type { Job } from '../../../../shared/job.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { costSentence } from '../../../ui/jobs/price-words.ts'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { Moment } from '../../../ui/moment.tsx'
import { showEmbedding } from './embedding-store.ts'
import { embeddingState, embeddingTitle, textsDone } from './embedding-words.ts'
import kept from '../kept.module.css'
import styles from './embeddings.module.css'

/** Running and saved embeddings. */
export function EmbeddingsList() {
  const list = useJobList(['embedding'])
  return (
    <section aria-label={t`Embeddings`}>
      <h2>
        <Trans>Saved embeddings</Trans>
      </h2>
      <JobList
        label={t`Saved embeddings`}
        list={list}
        nothing={{ icon: Waypoints, title: t`No embeddings yet` }}
      >
        {(job) => <Entry job={job} />}
      </JobList>
    </section>
  )
}

function Entry({ job }: { job: Job }) {
  const cost = costSentence(job)
  return (
    <button type="button" className={kept.entry} onClick={() => showEmbedding(job.id)}>
      <span className={kept.entryName}>{embeddingTitle(job)}</span>
      <span className={kept.entryState}>{embeddingState(job).name}</span>
      <span className={styles.quiet}>{textsDone(job)}</span>
      <span className={kept.entryState}>
        <Moment at={job.at} />
        {cost !== undefined && <> · {cost}</>}
      </span>
    </button>
  )
}
