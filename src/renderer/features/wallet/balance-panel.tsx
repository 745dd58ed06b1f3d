import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus, RefreshCw, TriangleAlert } from 'lucide-react'
import { parseUsd } from '../../../shared/money.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { useAnswer, useScopedState } from '../../data/use-answer.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatExactUsd, formatUsd } from '../../ui/format/money.ts'
import { formatMoment } from '../../ui/format/time.ts'
import { Hidden } from '../../ui/hidden.tsx'
import { useReceipts } from '../../ui/receipt-store.ts'
import { go } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { accountsQuestion } from './accounts/account-store.ts'
import { whatItBuys, type AffordableKind } from './balance-buys.ts'
import styles from './balance-panel.module.css'
import { lowBalanceQuestion, recentReceiptsQuestion, useBalance } from './balance-store.ts'
import { formatBalance, statusOfBalance } from './balance-words.ts'
import { startAddingFunds } from './topups/add-funds-store.ts'
import { mayBePaid } from './topups/topup-status.ts'
import { topupList } from './topups/topup-store.ts'

/** The balance of the active account, what it's enough for, and the way to add funds. */
export function BalancePanel() {
  const account = useAnswer(accountsQuestion, { once: true }).data?.find(({ active }) => active)
  const balance = useBalance()
  const below = useAnswer(lowBalanceQuestion).data?.below
  const recent = useAnswer(recentReceiptsQuestion).data ?? []
  const now = useNow(15_000)
  const picoUsd = balance.data?.picoUsd
  // The next step is then to pay it.
  const hasInvoice = useScopedState(topupList.state).items?.some((topup) => mayBePaid(topup, now)) === true
  return (
    <section aria-label={t`Balance`}>
      <div className={styles.top}>
        <div className={styles.figures}>
          <Amount balance={balance} />
          <p className={styles.facts}>
            {account && <span className={styles.name}>{account.name}</span>}
            {picoUsd !== undefined && <Buys picoUsd={picoUsd} recent={recent} />}
            <span className={styles.fresh}>
              {balance.data && <Trans>as of {formatMoment(balance.data.at, now, true)}</Trans>}
              <IconButton
                className={styles.refresh}
                label={t`Refresh`}
                aria-busy={balance.busy}
                onClick={balance.refresh}
              >
                <RefreshCw size={14} strokeWidth={1.75} aria-hidden />
              </IconButton>
            </span>
          </p>
        </div>
        <div className={styles.actions}>
          <Button kind="ghost" onClick={() => go({ view: 'wallet', part: 'purchases' })}>
            <Trans>Pay per request</Trans>
          </Button>
          <Button
            kind={hasInvoice ? 'secondary' : 'primary'}
            className={styles.add}
            onClick={() => void startAddingFunds()}
          >
            <Plus size={16} strokeWidth={1.75} aria-hidden />
            <Trans>Add funds</Trans>
          </Button>
        </div>
      </div>
      {picoUsd !== undefined && <Low picoUsd={picoUsd} below={below} />}
      {balance.failure && (
        <FailureNote failure={balance.failure} className={styles.failure} onRetry={balance.refresh} />
      )}
    </section>
  )
}

/** The balance in one line, for a page about something else. */
export function BalanceLine() {
  const account = useAnswer(accountsQuestion, { once: true }).data?.find(({ active }) => active)
  const balance = useBalance()
  return (
    <section className={styles.line} aria-label={t`Balance`}>
      <Amount balance={balance} small />
      {account && <span className={styles.name}>{account.name}</span>}
      {balance.failure && <FailureNote failure={balance.failure} onRetry={balance.refresh} />}
    </section>
  )
}

function Amount({
  balance: { data, busy },
  small = false,
}: {
  balance: ReturnType<typeof useBalance>
  small?: boolean
}) {
  if (data === undefined)
    return (
      <p className={styles.quiet} role="status">
        {busy ? t`Loading…` : t`Balance unknown`}
      </p>
    )
  return (
    <p className={small ? styles.small : styles.balance}>
      <strong title={formatExactUsd(data.picoUsd)} data-testid="balance">
        {formatBalance(data.picoUsd)}
      </strong>
    </p>
  )
}

function Buys({ picoUsd, recent }: { picoUsd: string; recent: readonly Receipt[] }) {
  const now = useNow(60_000)
  const receipts = useReceipts((state) => state.receipts)
  const known = new Map([...recent, ...Object.values(receipts)].map((receipt) => [receipt.id, receipt]))
  const estimates = whatItBuys(picoUsd, [...known.values()], now)
  const estimate = t`Each is an estimate for the whole balance, based on recent receipts on this computer.`
  return estimates.map(({ kind, count }, index) => (
    <span key={kind} title={estimate}>
      {remainingRequests(kind, Number(count))}
      {index === estimates.length - 1 && <Hidden>. {estimate}</Hidden>}
    </span>
  ))
}

function remainingRequests(kind: AffordableKind, count: number): string {
  switch (kind) {
    case 'private-replies':
      return plural(count, { one: 'About # private reply', other: 'About # private replies' })
    case 'replies':
      return plural(count, { one: 'About # other reply', other: 'About # other replies' })
    case 'images':
      return plural(count, { one: 'About # image', other: 'About # images' })
    case 'videos':
      return plural(count, { one: 'About # video', other: 'About # videos' })
    case 'speech':
      return plural(count, {
        one: 'About # text-to-speech request',
        other: 'About # text-to-speech requests',
      })
    case 'transcriptions':
      return plural(count, { one: 'About # transcription', other: 'About # transcriptions' })
    case 'embeddings':
      return plural(count, { one: 'About # embedding request', other: 'About # embedding requests' })
    case 'lookups':
      return plural(count, { one: 'About # data lookup', other: 'About # data lookups' })
  }
}

function Low({ picoUsd, below }: { picoUsd: string; below: string | undefined }) {
  const hasNotice = useStatus(
    (state) => state.status?.notices.some(({ id }) => id.startsWith('low-balance')) === true,
  )
  const status = statusOfBalance(picoUsd, below === undefined ? undefined : (parseUsd(below) ?? undefined))
  if (status === 'enough' || (status === 'low' && hasNotice)) return null
  return (
    <p className={styles.low} role="status">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden />
      {status === 'owing' && (
        <span>
          <Trans>
            <strong>Your balance is negative.</strong> The service charged more than you had. Your next top-up
            covers that first.
          </Trans>
        </span>
      )}
      {status === 'empty' && (
        <span>
          <Trans>
            <strong>Your balance is used up.</strong> Add funds to continue.
          </Trans>
        </span>
      )}
      {status === 'low' && (
        <span>
          <Trans>
            <strong>Low balance:</strong> below {formatUsd(String(parseUsd(below ?? '0') ?? 0n))}. Long
            replies, images, and videos may be refused.
          </Trans>
        </span>
      )}
    </p>
  )
}
