import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { WalletConnection } from '../../../../shared/wallet.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { formatSats } from '../../../ui/format/money.ts'
import styles from './connection.module.css'
import { Dollars } from './dollars.tsx'
import { fundsQuestion } from './wallet-store.ts'

/** What the wallet reports over its relay. The report is untrusted. */
export function Funds({ connection }: { connection: WalletConnection }) {
  const { data: funds, busy, failure, refresh } = useAnswer(fundsQuestion(connection))
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
      {!funds && busy && (
        <span role="status">
          <Trans>Contacting wallet…</Trans>
        </span>
      )}
      {!busy && (
        <Button kind="link" className={styles.again} onClick={refresh}>
          {funds ? t`Refresh` : t`Check balance`}
        </Button>
      )}
      {funds && busy && (
        <span className={styles.quiet} role="status">
          <Trans>Retrying…</Trans>
        </span>
      )}
      {failure && <FailureNote failure={failure} className={styles.gap} />}
    </>
  )
}
