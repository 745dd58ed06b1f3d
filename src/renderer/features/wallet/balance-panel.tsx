import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { parseUsd } from '../../../shared/money.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { exactUsd, formatUsd } from '../../ui/format/money.ts'
import { formatMoment } from '../../ui/format/time.ts'
import { useReceipts } from '../../ui/receipt-store.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { useAccounts } from './accounts/account-store.ts'
import { whatItBuys } from './balance-buys.ts'
import styles from './balance-panel.module.css'
import { refreshBalance, useBalance } from './balance-store.ts'
import { formatBalance, grouped, standingOfBalance } from './balance-words.ts'
import { LowBalanceDialog } from './low-balance-dialog.tsx'

/** What is on the active account and about what it buys; `brief`: the first alone. */
export function BalancePanel({ brief }: { brief: boolean }) {
  const account = useAccounts(({ accounts }) => accounts?.find(({ active }) => active))
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  const { picoUsd, failure } = useBalance()
  return (
    <section className={styles.panel} aria-label="Balance">
      <Facts>
        <Fact name="Balance"><Amount /></Fact>
        {account && <Fact name="Account"><span className={styles.name}>{account.name}</span>{sandbox && <span className={styles.quiet}> in the sandbox: pretended money</span>}</Fact>}
        {!brief && picoUsd !== undefined && <Fact name="Buys about"><Buys picoUsd={picoUsd} /></Fact>}
        {!brief && <Fact name="Said to be low"><Bound /></Fact>}
      </Facts>
      {picoUsd !== undefined && <Low picoUsd={picoUsd} />}
      {failure && <FailureNote failure={failure} className={styles.failure}><Button onClick={() => void refreshBalance()}>Try again</Button></FailureNote>}
    </section>
  )
}

function Amount() {
  const now = useNow(15_000)
  const { picoUsd, saidAt, busy } = useBalance()
  return (
    <span className={styles.amount}>
      {picoUsd === undefined
        ? <span className={styles.quiet} role="status">{busy ? 'Asking the service…' : 'Not known'}</span>
        : <strong title={`$${exactUsd(picoUsd)}`} data-testid="balance">{formatBalance(picoUsd)}</strong>}
      {saidAt !== undefined && <span className={styles.quiet}>as of {formatMoment(saidAt, now, true)}</span>}
      <Button kind="plain" className={styles.ask} onClick={() => void refreshBalance()} busy={busy && 'Asking…'}>Ask again</Button>
    </span>
  )
}

function Buys({ picoUsd }: { picoUsd: string }) {
  const now = useNow(60_000)
  const receipts = useReceipts((state) => state.receipts)
  const bought = whatItBuys(picoUsd, Object.values(receipts), now)
  if (BigInt(picoUsd) <= 0n) return <span className={styles.quiet}>Nothing: requests are refused until there is money on it.</span>
  if (bought.length === 0) return <span className={styles.quiet}>Not known: nothing was paid from here in the last 30 days.</span>
  return (
    <>
      <ul className={styles.bought}>
        {bought.map(({ kind, count, average, of }) => (
          <li key={kind}><span className={styles.count}>{grouped(String(count))}</span> {kind} <span className={styles.quiet}>at {formatUsd(average)}, the average of {of === 1 ? 'one' : `the last ${of}`}</span></li>
        ))}
      </ul>
      <p className={styles.quiet}>Each line is an estimate for the whole balance, from receipts of this machine.</p>
    </>
  )
}

/** From where on Sotto speaks of it, in every room. */
function Bound() {
  const below = useBalance((state) => state.below)
  const [changing, setChanging] = useState(false)
  if (below === undefined) return <span className={styles.quiet}>Not known</span>
  return (
    <span className={styles.amount}>
      <span>{Number(below) === 0 ? 'Never before it is used up' : `Below ${boundWords(below)}, in every room`}</span>
      <Button kind="plain" className={styles.ask} onClick={() => setChanging(true)}>Change…</Button>
      {changing && <LowBalanceDialog below={below} close={() => setChanging(false)} />}
    </span>
  )
}

function boundWords(below: string): string {
  return formatUsd(String(parseUsd(below) ?? 0n))
}

function Low({ picoUsd }: { picoUsd: string }) {
  const below = useBalance((state) => state.below)
  const saidAbove = useStatus((state) => state.status?.notices.some(({ id }) => id.startsWith('low-balance')) === true)
  const standing = standingOfBalance(picoUsd, below === undefined ? undefined : parseUsd(below) ?? undefined)
  if (standing === 'enough' || (standing === 'low' && saidAbove)) return null
  return (
    <p className={styles.low} role="status">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden />
      {standing === 'owing' && <span><strong>The balance is below nothing.</strong> The service charged more than was there. A topup covers that first.</span>}
      {standing === 'empty' && <span><strong>The balance is used up.</strong> Top up to go on.</span>}
      {standing === 'low' && <span><strong>The balance is low:</strong> below {boundWords(below ?? '0')}. Long answers, images and videos may be refused.</span>}
    </p>
  )
}
