import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { formatSats } from '../../../ui/format/sats.ts'
import styles from './connection.module.css'
import { Dollars } from './dollars.tsx'
import { loadFunds, useWallet } from './wallet-store.ts'

/** What the wallet says of itself: untrusted, and asked for over its relay. */
export function Funds() {
  const { funds, fundsBusy, fundsFailure } = useWallet()
  const { balance, budget } = funds ?? {}
  return (
    <>
      {funds && (
        <span className={styles.amount}>
          {balance === undefined ? t`It does not say what it holds` : <>{formatSats(balance)}<Dollars msat={balance} /></>}
          {budget && <>; <Trans>of this connection’s budget of {formatSats(budget.total)}, {formatSats(budget.used)} are used</Trans>{budget.renewsAt !== undefined && <>, <Trans>anew <Moment at={budget.renewsAt} /></Trans></>}</>}
          {'. '}
        </span>
      )}
      {!funds && fundsBusy && <span role="status"><Trans>Asking the wallet…</Trans></span>}
      {!fundsBusy && <Button kind="plain" className={styles.again} onClick={() => void loadFunds()}>{funds ? t`Ask again` : t`Ask the wallet`}</Button>}
      {funds && fundsBusy && <span className={styles.dim} role="status"><Trans>Asking again…</Trans></span>}
      {fundsFailure && !fundsBusy && <FailureNote failure={fundsFailure} className={styles.gap} />}
    </>
  )
}
