import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, type ReactNode } from 'react'
import { hasEnded } from '../../../shared/job-state.ts'
import type { Job } from '../../../shared/job.ts'
import { announce } from '../announcer.tsx'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Moment } from '../moment.tsx'
import { showReceipt, fetchReceipt } from '../receipt-store.ts'
import { useAction } from '../use-action.ts'
import { allowedOnce } from './allowed-once.ts'
import { JobCompare } from './job-compare.tsx'
import styles from './job-card.module.css'
import { JobPayment } from './job-payment.tsx'
import { JobProgress } from './job-progress.tsx'
import { stateWords, subjectOf, titleOf } from './job-words.ts'
import { showJob } from './jobs-store.ts'
import { costSentence } from './price-words.ts'
import { removeJobs } from './removals.ts'

interface JobCardProps {
  job: Job
  /** The result of the job. */
  children?: ReactNode
  /** Actions in addition to those of every job. */
  actions?: ReactNode
  /** Replaces the job's title. */
  title?: string
}

/** One job: its progress, cost and outcome, and the actions that are possible now. */
export function JobCard({ job, children, actions, title = titleOf(job) }: JobCardProps) {
  const id = useId()
  const { state, may, failure, receiptId, purchase } = job
  const { name, means } = stateWords[state]
  const subject = subjectOf(job)
  const cost = costSentence(job)
  const goesOn = !hasEnded(state) && state !== 'ready'
  return (
    <article className={styles.card} aria-labelledby={id} data-state={state} data-job={job.id}>
      <header className={styles.head}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        <span className={styles.state} role={goesOn ? 'status' : undefined}>
          {name}
        </span>
      </header>
      {/* The failure explains the state better. */}
      {means !== undefined && !(failure && (state === 'failed' || state === 'unknown')) && (
        <p className={styles.quiet}>{means}</p>
      )}
      {goesOn && <JobProgress job={job} />}
      {state === 'ready' && purchase && <JobPayment job={job} purchase={purchase} />}
      {failure && <FailureNote failure={failure} isSaved />}
      {children}
      {may.includes('compare') && <JobCompare jobId={job.id} />}
      <JobActions job={job} more={actions} />
      <p className={styles.line}>
        {subject !== undefined && <code>{subject}</code>}
        <Moment at={job.at} />
        {cost !== undefined && <span data-testid="job-cost">{cost}</span>}
        {receiptId !== undefined && (
          <Button kind="link" onClick={() => void fetchReceipt(receiptId).then(() => showReceipt(receiptId))}>
            <Trans>Open receipt</Trans>
          </Button>
        )}
      </p>
    </article>
  )
}

/** The actions of every job that are possible now. */
export function JobActions({ job, more }: { job: Job; more?: ReactNode }) {
  const { id: jobId, state, may, pay } = job
  const stop = useAction(async () => {
    await showJob(api.studio.stop({ jobId }))
    announce(t`Stopped`)
  })
  const again = useAction(async () => {
    await showJob(allowedOnce(job.ask, (consent) => api.studio.again({ jobId, ...capOf(job), ...consent })))
  })
  const resume = useAction(async () => {
    await showJob(api.studio.resume({ jobId }))
  })
  const poll = useAction(async () => {
    await showJob(api.studio.poll({ jobId }))
  })
  const remove = useAction(() => removeJobs([job]))
  const failure = stop.failure ?? again.failure ?? resume.failure ?? poll.failure ?? remove.failure
  const busy = stop.busy || again.busy || resume.busy || poll.busy
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      <div className={styles.actions}>
        {more}
        {may.includes('resume') && (
          <Button
            onClick={() => void resume.run()}
            disabled={busy && !resume.busy}
            busy={resume.busy && t`Resuming…`}
          >
            {resumeWord(job)}
          </Button>
        )}
        {may.includes('again') && (
          <Button
            onClick={() => void again.run()}
            disabled={busy && !again.busy}
            busy={again.busy && t`Retrying…`}
          >
            {pay === 'single' ? t`Get price again` : t`Send and pay again`}
          </Button>
        )}
        {may.includes('poll') && (
          <Button
            onClick={() => void poll.run()}
            disabled={busy && !poll.busy}
            busy={poll.busy && t`Loading…`}
          >
            <Trans>Check progress</Trans>
          </Button>
        )}
        {may.includes('stop') && (
          <Button
            onClick={() => void stop.run()}
            disabled={busy && !stop.busy}
            busy={stop.busy && t`Stopping…`}
          >
            {state === 'ready' && pay === 'single' ? t`Cancel` : t`Stop`}
          </Button>
        )}
        {hasEnded(state) && (
          <Button onClick={() => void remove.run()} busy={remove.busy && t`Deleting…`}>
            <Trans>Delete</Trans>
          </Button>
        )}
      </div>
    </>
  )
}

/**
 * The cap for a repeated job. A job that is paid from the balance is sent at once, so it may cost no more than the
 * estimate shown for this one. A job that is paid per request shows its price first. A batch keeps its cap.
 */
function capOf({ ask, pay, estimate }: Job): { most?: string } {
  return pay === 'balance' && ask.kind !== 'batch' && estimate ? { most: estimate.most } : {}
}

function resumeWord({ parts, pay, state }: Job): string {
  if (state === 'lost') return t`Try download again`
  if (parts) return t`Send remaining parts`
  return pay === 'single' ? t`Retry delivery` : t`Resume`
}
