import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { formatSats } from '../../../ui/format/money.ts'
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
          {balance === undefined ? (
            t`Not reported`
          ) : (
            <>
              {formatSats(balance)}
              <Dollars msat={balance} />
            </>
          )}
          {budget && (
            <>
              ;{' '}
              <Trans>
                connection budget {formatSats(budget.total)}, {formatSats(budget.used)} used
              </Trans>
              {budget.renewsAt !== undefined && (
                <>
                  ,{' '}
                  <Trans>
                    resets <Moment at={budget.renewsAt} />
                  </Trans>
                </>
              )}
            </>
          )}
          {'. '}
        </span>
      )}
      {!funds && fundsBusy && (
        <span role="status">
          <Trans>Contacting wallet…</Trans>
        </span>
      )}
      {!fundsBusy && (
        <Button kind="plain" className={styles.again} onClick={() => void loadFunds()}>
          {funds ? t`Refresh` : t`Check balance`}
        </Button>
      )}
      {funds && fundsBusy && (
        <span className={styles.dim} role="status">
          <Trans>Retrying…</Trans>
        </span>
      )}
      {fundsFailure && !fundsBusy && <FailureNote failure={fundsFailure} className={styles.gap} />}
    </>
  )
}
