import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job } from '../../../shared/job.ts'
import type { Purchase } from '../../../shared/purchase.ts'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { confirmable } from '../confirmation-store.ts'
import { FailureNote } from '../failure-note.tsx'
import { formatSats, formatUsd } from '../format/money.ts'
import { formatDuration } from '../format/time.ts'
import { PayElsewhere } from '../payment/pay-elsewhere.tsx'
import { useAction } from '../use-action.ts'
import { useNow } from '../use-now.ts'
import styles from './job-card.module.css'
import { showJob } from './jobs-store.ts'
import { useAnswer } from '../../data/use-answer.ts'

/** Whether a wallet is connected that can pay from here; undefined while that is unknown. */
function useWalletConnected(): boolean | undefined {
  const { data } = useAnswer(
    {
      key: ['wallet-connected'],
      ask: async (context) => (await api.wallet.get(undefined, context)).connection !== null,
    },
    { transient: true },
  )
  return data
}

/** The price that the service quoted, as long as it is valid, and the two ways to pay it. */
export function JobPayment({ job, purchase }: { job: Job; purchase: Purchase }) {
  const now = useNow(1000)
  const connected = useWalletConnected()
  const { id, amountMsat, worth, host, expiresAt, asks, uri } = purchase
  const pay = useAction(async () => {
    await showJob(confirmable((signal) => api.studio.pay({ jobId: job.id }, { signal })))
  })
  const prove = async (preimage: string) => {
    await api.purchases.prove({ purchaseId: id, preimage })
    await showJob(api.studio.get({ jobId: job.id }))
  }
  const price = formatSats(amountMsat)
  const runOut = now >= expiresAt
  const left = formatDuration(expiresAt - now)
  return (
    <div className={styles.payment}>
      <p>
        <Trans>
          The price is <strong>{price}</strong>, paid to <code>{host}</code>. Lightning payments are final.
        </Trans>
      </p>
      {worth !== undefined && (
        <p
          className={styles.quiet}
        >{t`About ${formatUsd(worth)}, at the rate of your last Lightning top-up in dollars.`}</p>
      )}
      {runOut ? (
        <p className={styles.quiet} role="status">
          <Trans>This price has expired. Cancel, then get a new price.</Trans>
        </p>
      ) : (
        <p className={styles.quiet} role="timer">
          <Trans>This price expires in {left}.</Trans>
        </p>
      )}
      {!runOut && connected === true && asks.length > 0 && (
        <p className={styles.quiet}>
          <Trans>You’ll confirm in a system dialog or your terminal.</Trans>
        </p>
      )}
      {pay.failure && <FailureNote failure={pay.failure} />}
      {!runOut && connected === true && (
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => void pay.run()} busy={pay.busy && t`Paying…`}>
            <Trans>Pay {price}</Trans>
          </Button>
        </div>
      )}
      {!runOut && !pay.busy && uri !== undefined && connected !== undefined && (
        <PayElsewhere purchase={purchase} uri={uri} open={!connected} prove={prove} />
      )}
    </div>
  )
}
