import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { purchaseStatus } from '../../../../shared/purchase-status.ts'
import type { Purchase } from '../../../../shared/purchase.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatSats, formatUsd } from '../../../ui/format/money.ts'
import { formatDuration } from '../../../ui/format/time.ts'
import { PayElsewhere } from '../../../ui/payment/pay-elsewhere.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useNow } from '../../../ui/use-now.ts'
import { walletQuestion } from '../connection/wallet-store.ts'
import { statusText } from './purchase-status.ts'
import { declinePurchase, payPurchase, provePurchase } from './purchase-store.ts'
import { askSentence } from './purchase-words.ts'
import styles from './purchases.module.css'

/** The price, the payee, a note that the payment is final, and the two ways to pay. */
export function Quote({ purchase }: { purchase: Purchase }) {
  const now = useNow(1000)
  const connection = useAnswer(walletQuestion, { once: true }).data?.connection
  const { id, host, amountMsat, worth, listed, description, expiresAt, asks } = purchase
  const pay = useAction(() => payPurchase(id))
  const decline = useAction(() => declinePurchase(id))
  const runOut = purchaseStatus(purchase, now) === 'run-out'
  const asked = askSentence(asks)
  return (
    <div className={styles.quote}>
      <Facts>
        <Fact name={t`Price`}>
          {connection ? (
            <Trans>
              <strong>{formatSats(amountMsat)}</strong>, plus Lightning fees
            </Trans>
          ) : (
            <strong>{formatSats(amountMsat)}</strong>
          )}
        </Fact>
        <Fact name={t`In dollars`}>
          {worth === undefined
            ? t`Unknown: you made no Lightning top-up in dollars in the last 24 hours`
            : t`About ${formatUsd(worth)}, at the rate of your last Lightning top-up in dollars`}
        </Fact>
        <Fact name={t`Paid to`}>
          <code>{host}</code>
        </Fact>
        <Fact name={t`List price`}>
          {listed === undefined
            ? t`Unknown: not in the price list`
            : worth === undefined
              ? t`Up to ${formatUsd(listed)} if paid from a balance`
              : t`Up to ${formatUsd(listed)} if paid from a balance; the invoice doesn’t exceed it`}
        </Fact>
        {description !== undefined && (
          <Fact name={t`Description from the service`}>
            <q>{description}</q>
          </Fact>
        )}
        <Fact name={t`Expires in`}>
          {runOut ? (
            t({ message: 'Expired', context: 'price quote' })
          ) : (
            <span className={styles.clock} role="timer">
              {formatDuration(expiresAt - now)}
            </span>
          )}
        </Fact>
        <Fact name={t`Refunds`}>
          <Trans>None: Lightning payments are final</Trans>
        </Fact>
      </Facts>
      {runOut && (
        <p className={styles.means} role="status">
          {statusText['run-out'].means}
        </p>
      )}
      {!runOut && connection && asked !== undefined && <p className={styles.means}>{asked}</p>}
      {pay.failure && <FailureNote failure={pay.failure} />}
      {decline.failure && <FailureNote failure={decline.failure} />}
      <div className={styles.actions}>
        {!runOut && connection && (
          <Button
            kind="primary"
            onClick={() => void pay.run()}
            busy={pay.busy && t`Paying…`}
            disabled={decline.busy}
          >
            <Trans>Pay {formatSats(amountMsat)}</Trans>
          </Button>
        )}
        <Button onClick={() => void decline.run()} busy={decline.busy && t`Canceling…`} disabled={pay.busy}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
      {!runOut && !pay.busy && purchase.uri !== undefined && (
        <PayElsewhere
          purchase={purchase}
          uri={purchase.uri}
          open={connection === null}
          prove={(preimage) => provePurchase(id, preimage)}
        />
      )}
    </div>
  )
}
