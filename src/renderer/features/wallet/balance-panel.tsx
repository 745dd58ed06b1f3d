import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { parseUsd } from '../../../shared/money.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatExactUsd, formatUsd } from '../../ui/format/money.ts'
import { formatMoment } from '../../ui/format/time.ts'
import { useReceipts } from '../../ui/receipt-store.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { accountsQuestion } from './accounts/account-store.ts'
import { whatItBuys, type AffordableKind } from './balance-buys.ts'
import styles from './balance-panel.module.css'
import { lowBalanceQuestion, recentReceiptsQuestion, useBalance } from './balance-store.ts'
import { formatBalance, statusOfBalance } from './balance-words.ts'
import { LowBalanceDialog } from './low-balance-dialog.tsx'

/** The balance of the active account and, unless it is brief, an estimate of what the balance buys. */
export function BalancePanel({ brief }: { brief: boolean }) {
  const account = useAnswer(accountsQuestion, { once: true }).data?.find(({ active }) => active)
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  const balance = useBalance()
  const below = useAnswer(lowBalanceQuestion).data?.below
  const recent = useAnswer(recentReceiptsQuestion).data ?? []
  const picoUsd = balance.data?.picoUsd
  return (
    <section className={styles.panel} aria-label={t`Balance`}>
      <Amount balance={balance} />
      <Facts>
        {account && (
          <Fact name={t`Account`}>
            <span className={styles.name}>{account.name}</span>
            {sandbox && (
              <span className={styles.quiet}>
                {' '}
                <Trans>Demo mode: no real money</Trans>
              </span>
            )}
          </Fact>
        )}
        {!brief && picoUsd !== undefined && (
          <Fact name={t`Enough for`}>
            <Buys picoUsd={picoUsd} recent={recent} />
          </Fact>
        )}
        {!brief && (
          <Fact name={t`Low-balance alert`}>
            <Bound below={below} />
          </Fact>
        )}
      </Facts>
      {picoUsd !== undefined && <Low picoUsd={picoUsd} below={below} />}
      {balance.failure && (
        <FailureNote failure={balance.failure} className={styles.failure}>
          <Button onClick={balance.refresh}>
            <Trans>Try again</Trans>
          </Button>
        </FailureNote>
      )}
    </section>
  )
}

function Amount({ balance: { data, busy, refresh } }: { balance: ReturnType<typeof useBalance> }) {
  const now = useNow(15_000)
  return (
    <p className={styles.balance}>
      {data === undefined ? (
        <span className={styles.quiet} role="status">
          {busy ? t`Loading…` : t`Unknown`}
        </span>
      ) : (
        <>
          <strong title={formatExactUsd(data.picoUsd)} data-testid="balance">
            {formatBalance(data.picoUsd)}
          </strong>
          <span className={styles.quiet}>
            <Trans>as of {formatMoment(data.at, now, true)}</Trans>
          </span>
        </>
      )}
      <Button kind="link" onClick={refresh} busy={busy && t`Loading…`}>
        <Trans>Refresh</Trans>
      </Button>
    </p>
  )
}

function Buys({ picoUsd, recent }: { picoUsd: string; recent: readonly Receipt[] }) {
  const now = useNow(60_000)
  const receipts = useReceipts((state) => state.receipts)
  const known = new Map([...recent, ...Object.values(receipts)].map((receipt) => [receipt.id, receipt]))
  const bought = whatItBuys(picoUsd, [...known.values()], now)
  if (BigInt(picoUsd) <= 0n)
    return (
      <span className={styles.quiet}>
        <Trans>Nothing. Requests are refused until you add funds.</Trans>
      </span>
    )
  if (bought.length === 0)
    return (
      <span className={styles.quiet}>
        <Trans>Unknown. Sotto made no paid requests in the last 30 days.</Trans>
      </span>
    )
  return (
    <>
      <ul className={styles.bought}>
        {bought.map(({ kind, count }) => (
          <li key={kind}>{remainingRequests(kind, Number(count))}</li>
        ))}
      </ul>
      <p className={styles.quiet}>
        <Trans>
          Each line is an estimate for the whole balance, based on recent receipts on this computer.
        </Trans>
      </p>
    </>
  )
}

/** The amount below which every view shows an alert. */
function Bound({ below }: { below: string | undefined }) {
  const [changing, setChanging] = useState(false)
  if (below === undefined)
    return (
      <span className={styles.quiet}>
        <Trans>Unknown</Trans>
      </span>
    )
  return (
    <span className={styles.amount}>
      <span>{Number(below) === 0 ? t`Only when the balance is used up` : t`Below ${boundWords(below)}`}</span>
      <Button kind="link" onClick={() => setChanging(true)}>
        <Trans>Change…</Trans>
      </Button>
      {changing && <LowBalanceDialog below={below} close={() => setChanging(false)} />}
    </span>
  )
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

function boundWords(below: string): string {
  return formatUsd(String(parseUsd(below) ?? 0n))
}

function Low({ picoUsd, below }: { picoUsd: string; below: string | undefined }) {
  const saidAbove = useStatus(
    (state) => state.status?.notices.some(({ id }) => id.startsWith('low-balance')) === true,
  )
  const standing = statusOfBalance(picoUsd, below === undefined ? undefined : (parseUsd(below) ?? undefined))
  if (standing === 'enough' || (standing === 'low' && saidAbove)) return null
  return (
    <p className={styles.low} role="status">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden />
      {standing === 'owing' && (
        <span>
          <Trans>
            <strong>Your balance is negative.</strong> The service charged more than you had. Your next top-up
            covers that first.
          </Trans>
        </span>
      )}
      {standing === 'empty' && (
        <span>
          <Trans>
            <strong>Your balance is used up.</strong> Add funds to continue.
          </Trans>
        </span>
      )}
      {standing === 'low' && (
        <span>
          <Trans>
            <strong>Low balance:</strong> below {boundWords(below ?? '0')}. Long replies, images, and videos
            may be refused.
          </Trans>
        </span>
      )}
    </p>
  )
}
