import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Job } from '../../../../shared/job.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { api, ownFile } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatBytes } from '../../../ui/format/number.ts'
import { JobCard } from '../../../ui/jobs/job-card.tsx'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './answer-view.module.css'
import { AnswerView } from './answer-view.tsx'

/** More than the core stores of an answer. A larger answer can be saved, but the window doesn't show it. */
const MOST_BYTES = 32 * 1024 * 1024

/** One lookup: its progress, its cost and, when it arrives, its answer. */
export function AnsweredJob({ job, actions }: { job: Job; actions?: ReactNode }) {
  const answer = job.files.find(({ role }) => role === 'answer')
  return (
    <JobCard job={job} actions={actions}>
      {job.state === 'done' &&
        answer &&
        (answer.bytes > MOST_BYTES ? (
          <TooLarge job={job} bytes={answer.bytes} index={answer.index} />
        ) : (
          <Answer jobId={job.id} index={answer.index} name={fileName(job)} />
        ))}
    </JobCard>
  )
}

function Answer({ jobId, index, name }: { jobId: string; index: number; name: string }) {
  const {
    data: text,
    failure,
    refresh,
  } = useAnswer(
    {
      key: ['answer-file', jobId, index],
      ask: async (context) => ownFile((await api.studio.link({ jobId, index }, context)).path),
    },
    { transient: true },
  )
  if (failure) return <FailureNote failure={failure} onRetry={refresh} />
  if (text === undefined) return <Skeleton label={t`Loading result…`} />
  return <AnswerView text={text} name={name} />
}

function TooLarge({ job, bytes, index }: { job: Job; bytes: number; index: number }) {
  const save = useAction(() => saveJobFile(job, { index, name: `${fileName(job)}.json` }))
  return (
    <div className={styles.answer}>
      <p className={styles.quiet}>
        <Trans>The result is {formatBytes(bytes)}, too large to show here. You can save it.</Trans>
      </p>
      {save.failure && <FailureNote failure={save.failure} />}
      <div className={styles.line}>
        <Button onClick={() => void save.run()}>
          <Trans>Save as JSON</Trans>
        </Button>
      </div>
    </div>
  )
}

/** `sotto-people-search-2026-11-22`. */
function fileName({ ask, at }: Job): string {
  const path = ask.kind === 'data' ? ask.path : 'answer'
  const last =
    path
      .split('/')
      .slice(3)
      .join('-')
      .replaceAll(/[^\w-]/g, '') || 'answer'
  return `sotto-${last.slice(0, 60)}-${new Date(at).toISOString().slice(0, 10)}`
}
