import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Job } from '../../../../shared/job.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { formatCost, formatExactUsd, formatUsd } from '../../../ui/format/money.ts'
import { JobCompare } from '../../../ui/jobs/job-compare.tsx'
import { useLanguage } from '../../../ui/language/language.ts'
import { Moment } from '../../../ui/moment.tsx'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { saveLinked } from '../../../ui/save-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import { BatchActions } from './batch-actions.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { BatchRows } from './batch-rows.tsx'
import { showBatch } from './batch-store.ts'
import { batchState, batchTitle, costOf, meanCost, rowCounts } from './batch-words.ts'
import kept from '../kept.module.css'
import styles from './batch.module.css'

/** One batch: its progress, its cost, its rows and its current actions. */
export function BatchPage({ job }: { job: Job }) {
  const title = useRef<HTMLHeadingElement>(null)
  const { name, means } = batchState(job)
  const { unknown, done } = rowCounts(job)
  const { tag } = useLanguage()
  useEffect(() => {
    title.current?.focus()
  }, [])
  return (
    <div className={styles.tab}>
      <p>
        <Button onClick={() => showBatch(undefined)}>
          <ArrowLeft size={15} strokeWidth={1.75} aria-hidden />
          <Trans>Back to batches</Trans>
        </Button>
      </p>
      <header className={kept.head}>
        <h2 ref={title} tabIndex={-1} className={kept.title}>
          {batchTitle(job)}
        </h2>
        <span className={kept.state} role="status">
          {name}
        </span>
      </header>
      {means !== undefined && !job.failure && <p className={styles.quiet}>{means}</p>}
      <BatchProgress job={job} />
      {job.failure && !(unknown > 0 && job.failure.code === 'studio/outcome-unknown') && (
        <FailureNote failure={job.failure} isSaved />
      )}
      {unknown > 0 && <Unknown job={job} unknown={unknown} />}
      <BatchActions job={job} />
      <About job={job} />
      {/* It caches texts of one language. */}
      {job.ask.kind === 'batch' && <BatchRows key={tag} job={job} />}
      {done > 0 && <SaveBatch job={job} />}
    </div>
  )
}

/** Reports rows with an unknown outcome, and how the user can find out what happened. */
function Unknown({ job, unknown }: { job: Job; unknown: number }) {
  return (
    <div className={styles.unknown} role="note">
      <p>
        {plural(unknown, {
          one: '# row has an unknown outcome. The connection or Sotto ended while it was being sent. It may have been processed and charged. Sotto doesn’t send it again automatically.',
          other:
            '# rows have an unknown outcome. The connection or Sotto ended while they were being sent. Each may have been processed and charged. Sotto doesn’t send them again automatically.',
        })}
      </p>
      {job.may.includes('compare') && <JobCompare jobId={job.id} />}
    </div>
  )
}

function About({ job }: { job: Job }) {
  const { ask, pay, estimate } = job
  if (ask.kind !== 'batch') return null
  const cost = costOf(job)
  const mean = meanCost(job)
  return (
    <Facts>
      <Fact name={t`Cost so far`}>
        <span data-testid="batch-cost">{cost ?? t`not available yet`}</span>
      </Fact>
      {mean !== undefined && (
        <Fact name={t`Average per completed row`}>
          <span title={formatExactUsd(mean)}>{formatUsd(mean)}</span>
        </Fact>
      )}
      {estimate && <Fact name={t`Estimated total`}>{formatCost(estimate)}</Fact>}
      <Fact name={t`Limit`}>
        {ask.most === undefined ? t`no limit for this batch` : formatExactUsd(ask.most)}
      </Fact>
      <Fact name={t`Payment`}>
        {pay === 'single' ? t`per row, over Lightning` : t`from the account balance`}
      </Fact>
      <Fact name={t`Lookup`}>
        <code>
          {ask.method} {ask.path}
        </code>
      </Fact>
      <Fact name={t`Started`}>
        <Moment at={job.at} exact />
      </Fact>
      <Fact name={t`Who can read it`}>
        <PrivacyMark privacy="forwarded" />
      </Fact>
    </Facts>
  )
}

function SaveBatch({ job: { id: jobId } }: { job: Job }) {
  const save = useAction(async () => {
    const { path, name } = await api.studio.results({ jobId, format: 'csv' })
    await saveLinked(name, path)
  })
  const saveJson = useAction(async () => {
    const { path, name } = await api.studio.results({ jobId, format: 'json' })
    await saveLinked(name, path)
  })
  const failure = save.failure ?? saveJson.failure
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      <div className={styles.actions}>
        <span className={styles.quiet}>
          <Trans>All rows with results and costs:</Trans>
        </span>
        <Button onClick={() => void save.run()} busy={save.busy && t`Saving…`}>
          <Trans>Save as CSV</Trans>
        </Button>
        <Button onClick={() => void saveJson.run()} busy={saveJson.busy && t`Saving…`}>
          <Trans>Save as JSON</Trans>
        </Button>
      </div>
    </>
  )
}
