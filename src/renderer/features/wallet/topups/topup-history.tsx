import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { hasEnded, topupStatus } from '../../../../shared/topup-status.ts'
import type { Topup } from '../../../../shared/topup.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './topup-history.module.css'
import { TopupReceipt } from './topup-receipt.tsx'
import { TopupSign } from './topup-sign.tsx'
import { statusText } from './topup-status.ts'
import { checkTopup, forgetTopup } from './topup-store.ts'
import { amountWords, coinWords, paidWords, receivedWords } from './topup-words.ts'

/** Invoices that ended, the newest first. */
export function TopupHistory({
  topups,
  accountNames,
}: {
  topups: readonly Topup[]
  accountNames: ReadonlyMap<string, string>
}) {
  const clear = useAction(async () => {
    for (const { id } of topups.filter(hasEnded)) await forgetTopup(id)
  })
  return (
    <section aria-label={t`Past top-ups`} className={styles.history}>
      <header className={styles.head}>
        <h2>
          <Trans>Past top-ups</Trans>
        </h2>
        {topups.length > 1 && (
          <Button kind="link" onClick={() => void clear.run()} busy={clear.busy && t`Removing…`}>
            <Trans>Remove all</Trans>
          </Button>
        )}
      </header>
      {clear.failure && <FailureNote failure={clear.failure} />}
      {topups.length === 0 ? (
        <p className={styles.quiet}>
          <Trans>No past top-ups yet. Paid and expired top-ups appear here until you remove them.</Trans>
        </p>
      ) : (
        <ul className={styles.list}>
          {topups.map((topup) => (
            <li key={topup.id}>
              <Line topup={topup} account={accountNames.get(topup.accountId)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ topup, account }: { topup: Topup; account: string | undefined }) {
  const [open, setOpen] = useState(false)
  const [receipt, setReceipt] = useState(false)
  const status = topupStatus(topup, topup.createdAt)
  const cost = coinWords(topup)
  const received = receivedWords(topup)
  const what = amountWords(topup)
  const forget = useAction(() => forgetTopup(topup.id))
  const check = useAction(() => checkTopup(topup.id))
  const failure = forget.failure ?? check.failure
  return (
    <article className={styles.line} aria-label={what}>
      <span className={styles.when}>
        <Moment at={topup.createdAt} />
      </span>
      <span className={styles.amount}>{what}</span>
      <span className={styles.account}>{account !== undefined && <Trans>for {account}</Trans>}</span>
      <TopupSign status={status} />
      <Button kind="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? (
          <Trans>
            Show less<Hidden> about {what}</Hidden>
          </Trans>
        ) : (
          <Trans>
            Show more<Hidden> about {what}</Hidden>
          </Trans>
        )}
      </Button>
      {open && (
        <div className={styles.more}>
          {received !== undefined && topup.received?.covers !== 'whole' ? (
            <p>
              <Trans>Received: {received}</Trans>
            </p>
          ) : (
            cost && <p>{paidWords(cost, topup)}</p>
          )}
          {status !== 'settled' && <p>{statusText[status].means}</p>}
          <p className={styles.number}>
            <Trans>
              Top-up ID <code>{topup.invoiceId}</code>
              <CopyButton label={t`Copy top-up ID`} text={() => topup.invoiceId} />
            </Trans>
          </p>
          {topup.address !== undefined && (
            <p className={styles.number}>
              <Trans>
                Address <code>{topup.address}</code>
              </Trans>
            </p>
          )}
          <p className={styles.actions}>
            <Button onClick={() => void check.run()} busy={check.busy && t`Loading…`}>
              <Trans>Refresh</Trans>
            </Button>
            {topup.state === 'settled' && (
              <Button onClick={() => setReceipt(true)}>
                <Trans>Show receipt</Trans>
              </Button>
            )}
            <Button onClick={() => void forget.run()} busy={forget.busy && t`Removing…`}>
              <Trans>Remove from list</Trans>
            </Button>
          </p>
          {failure && <FailureNote failure={failure} />}
        </div>
      )}
      {receipt && <TopupReceipt topup={topup} onClose={() => setReceipt(false)} />}
    </article>
  )
}
