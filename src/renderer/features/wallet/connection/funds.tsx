import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { formatSats } from '../sats.ts'
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
          {balance === undefined ? 'It does not say what it holds' : <>{formatSats(balance)}<Dollars msat={balance} /></>}
          {budget && <>; of this connection’s budget of {formatSats(budget.total)}, {formatSats(budget.used)} are used{budget.renewsAt !== undefined && <>, anew <Moment at={budget.renewsAt} /></>}</>}
          {'. '}
        </span>
      )}
      {!funds && fundsBusy && <span role="status">Asking the wallet…</span>}
      {!fundsBusy && <Button kind="plain" className={styles.again} onClick={() => void loadFunds()}>{funds ? 'Ask again' : 'Ask the wallet'}</Button>}
      {funds && fundsBusy && <span className={styles.dim} role="status">Asking again…</span>}
      {fundsFailure && !fundsBusy && <FailureNote failure={fundsFailure} className={styles.gap} />}
    </>
  )
}
