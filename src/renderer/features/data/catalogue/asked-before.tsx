import { t } from '@lingui/core/macro'
import { Database } from 'lucide-react'
import { useId } from 'react'
import type { Job } from '../../../../shared/job.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { stateWords } from '../../../ui/jobs/job-words.ts'
import { costSentence } from '../../../ui/jobs/price-words.ts'
import { UndoJobs } from '../../../ui/jobs/undo-jobs.tsx'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { Moment } from '../../../ui/moment.tsx'
import { cellText } from '../results/cell-text.ts'
import { showAnswer } from './catalogue-store.ts'
import styles from './catalogue.module.css'

/** Earlier lookups with their answers; only those of one endpoint if `path` is given. */
export function AskedBefore({
  label,
  path,
  except,
}: {
  label: string
  path?: string
  except?: string | undefined
}) {
  const id = useId()
  const list = useJobList(['data'])
  const jobs = list.jobs?.filter(
    (job) => job.id !== except && (path === undefined || (job.ask.kind === 'data' && job.ask.path === path)),
  )
  // The section may have gone with its only lookup, whose removal can still be undone.
  if (jobs?.length === 0 && !list.more && !list.failure) return <UndoJobs />
  return (
    <section aria-labelledby={id} className={styles.group}>
      <h2 id={id} className={styles.groupName}>
        {label}
      </h2>
      <JobList
        label={t`Saved results`}
        list={jobs ? { ...list, jobs } : list}
        nothing={{ icon: Database, title: t`No matches` }}
      >
        {(job) => <Asked job={job} />}
      </JobList>
    </section>
  )
}

function Asked({ job }: { job: Job }) {
  const { ask } = job
  if (ask.kind !== 'data') return null
  return (
    <button type="button" className={styles.asked} onClick={() => showAnswer(job.id, ask)}>
      <span className={styles.askedInput}>{job.title ?? cellText(ask.input, 200)}</span>
      <span className={styles.price}>{stateWords[job.state].name}</span>
      <code className={styles.path}>
        {ask.method} {ask.path}
      </code>
      <span className={styles.askedWhen}>
        <Moment at={job.at} />
        {costSentence(job) !== undefined && <> · {costSentence(job)}</>}
      </span>
    </button>
  )
}
