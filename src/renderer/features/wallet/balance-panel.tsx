import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { parseUsd } from '../../../shared/money.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatExactUsd, formatUsd } from '../../ui/format/money.ts'
import { formatDecimal } from '../../ui/format/number.ts'
import { formatMoment } from '../../ui/format/time.ts'
import { useReceipts } from '../../ui/receipt-store.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { useAccounts } from './accounts/account-store.ts'
import { whatItBuys, type BoughtKind } from './balance-buys.ts'
import styles from './balance-panel.module.css'
import { refreshBalance, useBalance } from './balance-store.ts'
import { formatBalance, standingOfBalance } from './balance-words.ts'
import { LowBalanceDialog } from './low-balance-dialog.tsx'

/** What is on the active account and about what it buys; `brief`: the first alone. */
export function BalancePanel({ brief }: { brief: boolean }) {
  const account = useAccounts(({ accounts }) => accounts?.find(({ active }) => active))
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  const { picoUsd, failure } = useBalance()
  return (
    <section className={styles.panel} aria-label={t`Balance`}>
      <Facts>
        <Fact name={t`Balance`}><Amount /></Fact>
        {account && <Fact name={t`Account`}><span className={styles.name}>{account.name}</span>{sandbox && <span className={styles.quiet}> <Trans>in the sandbox: pretended money</Trans></span>}</Fact>}
        {!brief && picoUsd !== undefined && <Fact name={t`Buys about`}><Buys picoUsd={picoUsd} /></Fact>}
        {!brief && <Fact name={t`Said to be low`}><Bound /></Fact>}
      </Facts>
      {picoUsd !== undefined && <Low picoUsd={picoUsd} />}
      {failure && <FailureNote failure={failure} className={styles.failure}><Button onClick={() => void refreshBalance()}><Trans>Try again</Trans></Button></FailureNote>}
    </section>
  )
}

function Amount() {
  const now = useNow(15_000)
  const { picoUsd, saidAt, busy } = useBalance()
  return (
    <span className={styles.amount}>
      {picoUsd === undefined
        ? <span className={styles.quiet} role="status">{busy ? t`Asking the service…` : t`Not known`}</span>
        : <strong title={formatExactUsd(picoUsd)} data-testid="balance">{formatBalance(picoUsd)}</strong>}
      {saidAt !== undefined && <span className={styles.quiet}><Trans>as of {formatMoment(saidAt, now, true)}</Trans></span>}
      <Button kind="plain" className={styles.ask} onClick={() => void refreshBalance()} busy={busy && t`Asking…`}><Trans>Ask again</Trans></Button>
    </span>
  )
}

function Buys({ picoUsd }: { picoUsd: string }) {
  const now = useNow(60_000)
  const receipts = useReceipts((state) => state.receipts)
  const bought = whatItBuys(picoUsd, Object.values(receipts), now)
  if (BigInt(picoUsd) <= 0n) return <span className={styles.quiet}><Trans>Nothing: requests are refused until there is money on it.</Trans></span>
  if (bought.length === 0) return <span className={styles.quiet}><Trans>Not known: nothing was paid from here in the last 30 days.</Trans></span>
  return (
    <>
      <ul className={styles.bought}>
        {bought.map(({ kind, count, average, of }) => (
          <li key={kind}><span className={styles.count}>{formatDecimal(String(count))}</span> {boughtWords[kind]} <span className={styles.quiet}><Plural value={of} one={`at ${formatUsd(average)}, the average of one`} other={`at ${formatUsd(average)}, the average of the last #`} /></span></li>
        ))}
      </ul>
      <p className={styles.quiet}><Trans>Each line is an estimate for the whole balance, from receipts of this machine.</Trans></p>
    </>
  )
}

/** From where on Sotto speaks of it, in every room. */
function Bound() {
  const below = useBalance((state) => state.below)
  const [changing, setChanging] = useState(false)
  if (below === undefined) return <span className={styles.quiet}><Trans>Not known</Trans></span>
  return (
    <span className={styles.amount}>
      <span>{Number(below) === 0 ? t`Never before it is used up` : t`Below ${boundWords(below)}, in every room`}</span>
      <Button kind="plain" className={styles.ask} onClick={() => setChanging(true)}><Trans>Change…</Trans></Button>
      {changing && <LowBalanceDialog below={below} close={() => setChanging(false)} />}
    </span>
  )
}

const boughtWords: Readonly<Record<BoughtKind, string>> = {
  get 'private chat answers'() { return t`private chat answers` },
  get 'other chat answers'() { return t`other chat answers` },
  get images() { return t`images` },
  get videos() { return t`videos` },
  get 'spoken texts'() { return t`spoken texts` },
  get transcriptions() { return t`transcriptions` },
  get 'embedding requests'() { return t`embedding requests` },
  get 'data requests'() { return t`data requests` },
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
      {standing === 'owing' && <span><Trans><strong>The balance is below nothing.</strong> The service charged more than was there. A topup covers that first.</Trans></span>}
      {standing === 'empty' && <span><Trans><strong>The balance is used up.</strong> Top up to go on.</Trans></span>}
      {standing === 'low' && <span><Trans><strong>The balance is low:</strong> below {boundWords(below ?? '0')}. Long answers, images and videos may be refused.</Trans></span>}
    </p>
  )
}
