import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job } from '../../../../shared/job.ts'
import { decimalUsd, parseUsd } from '../../../../shared/money.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { showJob } from '../../../ui/jobs/jobs-store.ts'
import { removeJobs } from '../../../ui/jobs/removals.ts'
import { useAction } from '../../../ui/use-action.ts'
import { showBatch, shownBatch } from './batch-store.ts'
import { rowCounts } from './batch-words.ts'
import styles from './batch.module.css'

/**
 * The current actions for a batch. Rows that may have been charged are sent again only if the user selects
 * them.
 */
export function BatchActions({ job }: { job: Job }) {
  const { id: jobId, may, state } = job
  const pause = useAction(async () => {
    await showJob(api.studio.pause({ jobId }))
    announce(t`Pausing: waiting for requests in progress`)
  })
  const stop = useAction(async () => {
    await showJob(api.studio.stop({ jobId }))
    announce(t`Stopped`)
  })
  const remove = useAction(async () => {
    await removeJobs([job])
    showBatch(undefined)
  })
  const pay = useAction(async () => {
    await showJob(confirmable((signal) => api.studio.pay({ jobId }, { signal })))
    announce(t`Batch started`)
  })
  const unpaid = useScopedState(shownBatch).unpaid
  const failure =
    pause.failure ??
    stop.failure ??
    remove.failure ??
    pay.failure ??
    (state === 'ready' && !pay.busy ? unpaid : undefined)
  return (
    <>
      {failure && <FailureNote failure={failure} />}
      {may.includes('resume') && <GoOn job={job} />}
      <div className={styles.actions}>
        {may.includes('pay') && (
          <Button kind="primary" onClick={() => void pay.run()} busy={pay.busy && t`Starting…`}>
            <Trans>Start and pay rows</Trans>
          </Button>
        )}
        {may.includes('pause') && (
          <Button onClick={() => void pause.run()} busy={pause.busy && t`Pausing…`}>
            <Trans>Pause</Trans>
          </Button>
        )}
        {may.includes('stop') && (
          <Button onClick={() => void stop.run()} busy={stop.busy && t`Stopping…`}>
            <Trans>Stop permanently</Trans>
          </Button>
        )}
        {(hasEnded(state) || state === 'paused') && (
          <Button onClick={() => void remove.run()} busy={remove.busy && t`Deleting…`}>
            <Trans>Delete</Trans>
          </Button>
        )}
      </div>
    </>
  )
}

function GoOn({ job }: { job: Job }) {
  const { id: jobId, ask } = job
  const { failed, unknown, left } = rowCounts(job)
  const [again, setAgain] = useState<{ readonly failed: boolean; readonly unknown: boolean }>({
    failed: false,
    unknown: false,
  })
  const before = ask.kind === 'batch' && ask.most !== undefined ? decimalUsd(BigInt(ask.most)) : ''
  const [cap, setCap] = useState(before)
  const most = cap.trim() === '' ? undefined : parseUsd(cap.trim())
  // An empty field would mean no limit, but the batch's current limit would stay.
  const fault =
    most === null || (before !== '' && most === undefined) || (most !== undefined && most <= 0n)
      ? t`Enter an amount in dollars, such as 2.50.`
      : undefined
  const rows = [...(again.failed ? ['failed' as const] : []), ...(again.unknown ? ['unknown' as const] : [])]
  const nothing = left === 0 && rows.length === 0
  const resume = useAction(async () => {
    await showJob(
      api.studio.resume({
        jobId,
        ...(rows.length > 0 && { rows }),
        ...(most !== undefined && most !== null && cap.trim() !== before && { most: most.toString() }),
      }),
    )
    setAgain({ failed: false, unknown: false })
    announce(t`Resumed`)
  })
  const failedLabel = plural(failed, {
    one: 'Send the failed row again',
    other: 'Send the # failed rows again',
  })
  const unknownLabel = plural(unknown, {
    one: 'Send the row with an unknown outcome again',
    other: 'Send the # rows with unknown outcomes again',
  })
  return (
    <div className={styles.goOn} role="group" aria-label={t`Resume`}>
      {failed > 0 && (
        <CheckField
          label={failedLabel}
          hint={t`Each row is charged again.`}
          checked={again.failed}
          onTick={(failed) => setAgain({ ...again, failed })}
        />
      )}
      {unknown > 0 && (
        <CheckField
          label={unknownLabel}
          hint={t`Each may have been charged already. Sending it again pays twice. Compare with the service’s history first.`}
          checked={again.unknown}
          onTick={(unknown) => setAgain({ ...again, unknown })}
        />
      )}
      {before !== '' && (
        <Field
          label={t`Total limit for all rows (US dollars)`}
          value={cap}
          onChange={(event) => setCap(event.target.value)}
          inputMode="decimal"
          maxLength={20}
          fault={fault}
          className={styles.cap}
        />
      )}
      {resume.failure && <FailureNote failure={resume.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => void resume.run()}
          disabled={nothing || fault !== undefined}
          busy={resume.busy && t`Resuming…`}
        >
          <Trans>Resume</Trans>
        </Button>
        <span className={styles.quiet}>
          {nothing
            ? t`All rows were sent. Choose above which ones to send again.`
            : plural(left, { one: 'One row hasn’t been sent yet.', other: '# rows haven’t been sent yet.' })}
        </span>
      </div>
    </div>
  )
}
