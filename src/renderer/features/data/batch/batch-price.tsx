import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import { currentScope } from '../../../data/service-scope.tsx'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmable } from '../../../ui/confirmation-store.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { formatExactUsd, formatPrice } from '../../../ui/format/money.ts'
import { PriceLine } from '../../../ui/jobs/ask-line.tsx'
import { showJob, startJob } from '../../../ui/jobs/jobs-store.ts'
import { choosePayWay, usePayWay } from '../../../ui/jobs/pay-way.ts'
import { useEstimate, type PriceState } from '../../../ui/jobs/use-estimate.ts'
import { PrivacyMark, privacyMeaning } from '../../../ui/privacy-mark.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { showBatch } from './batch-store.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import styles from './batch.module.css'

interface BatchPriceProps {
  ask: JobAsk | undefined
  missing: string | undefined
  rowPrice: string | undefined
  /** The title of the new batch. */
  title: string
  onStarted: (job: Job) => void
}

/** The dry run: how many rows can be sent and what all of them cost, above the button that starts the batch. */
export function BatchPrice({ ask, missing, rowPrice, title, onStarted }: BatchPriceProps) {
  const price = useEstimate(ask)
  const { pay, hasAccount } = usePayWay(true)
  const start = useAction(async () => {
    if (!ask) return
    const scope = currentScope()
    const job = await startJob(ask, pay)
    if (scope !== currentScope()) return
    // The batch already runs, even if the rename fails.
    await showJob(api.studio.rename({ jobId: job.id, title })).catch(() => undefined)
    onStarted(job)
    try {
      if (job.may.includes('pay'))
        await showJob(confirmable((signal) => api.studio.pay({ jobId: job.id }, { signal })))
      showBatch(job.id, undefined, scope)
      announce(t`Batch started`)
    } catch (thrown) {
      // The batch exists, and its own page can start it.
      showBatch(job.id, asFailure(thrown), scope)
    }
  })
  return (
    <div className={styles.price} data-testid="batch-price">
      <h3>
        <Trans>Dry run</Trans>
      </h3>
      <Counted price={price} rowPrice={rowPrice} />
      <PriceLine price={price} missing={missing} />
      <AboveCap price={price} ask={ask} />
      <p className={styles.privacy}>
        <PrivacyMark privacy="forwarded" /> <span>{privacyMeaning.forwarded}</span>
      </p>
      <RadioGroup
        label={t`Payment method`}
        name="batch-pay"
        options={[
          { id: 'balance', name: t`From the account balance`, disabled: !hasAccount },
          { id: 'single', name: t`Per row, over Lightning` },
        ]}
        chosen={pay}
        onChoose={choosePayWay}
      />
      {pay === 'single' && (
        <p className={styles.quiet}>
          <Trans>
            The connected wallet pays for each row within the limits you set. Only the first payment may ask
            you. If a row exceeds a limit, the batch pauses.
          </Trans>
        </p>
      )}
      {start.failure && <FailureNote failure={start.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => void start.run()}
          disabled={ask === undefined || price.state === 'failed'}
          waits={price.state === 'asking'}
          busy={start.busy && t`Starting…`}
        >
          <Trans>Start batch</Trans>
        </Button>
        <span className={styles.quiet}>
          <Trans>Rows leave this computer when you start the batch.</Trans>
        </span>
      </div>
    </div>
  )
}

/** A limit below the estimated cost can be intended or a mistake, so the form reports it in both cases. */
function AboveCap({ price, ask }: { price: PriceState; ask: JobAsk | undefined }) {
  const cost = price.state === 'known' ? price.estimate.cost : null
  if (
    ask?.kind !== 'batch' ||
    ask.most === undefined ||
    cost === null ||
    BigInt(cost.most) <= BigInt(ask.most)
  )
    return null
  const limit = formatExactUsd(ask.most)
  return (
    <p data-testid="above-cap">
      <Trans>This exceeds your limit of {limit}. The batch pauses before a row could go over it.</Trans>
    </p>
  )
}

function Counted({ price, rowPrice }: { price: PriceState; rowPrice: string | undefined }) {
  const counted =
    price.state === 'known'
      ? price.estimate.counted
      : price.state === 'asking'
        ? price.before?.counted
        : undefined
  if (!counted) return null
  const rows = plural(counted.requests, { one: 'One row to send', other: '# rows to send' })
  const each = rowPrice === undefined ? undefined : formatPrice(rowPrice)
  return (
    <p data-testid="counted" aria-busy={price.state === 'asking'}>
      {each === undefined ? t`${rows}. The price list has no price per row.` : t`${rows}, ${each} each.`}
      {counted.unusable > 0 && (
        <>
          {' '}
          {plural(counted.unusable, {
            one: 'One row can’t be sent as it is and costs nothing.',
            other: '# rows can’t be sent as they are and cost nothing.',
          })}
        </>
      )}
    </p>
  )
}
