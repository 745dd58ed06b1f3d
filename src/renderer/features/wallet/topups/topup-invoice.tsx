import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { hasEnded, topupStatus, type TopupStatus } from '../../../../shared/topup-status.ts'
import type { Topup } from '../../../../shared/topup.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { codedFailure } from '../../../ui/failure.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatMoment } from '../../../ui/format/time.ts'
import { addressOf } from '../../../ui/route.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useNow } from '../../../ui/use-now.ts'
import { formatBalance } from '../balance-words.ts'
import { useBalance } from '../balance-store.ts'
import { walletQuestion } from '../connection/wallet-store.ts'
import { PaymentQr } from '../../../ui/payment/payment-qr.tsx'
import { Countdown } from './countdown.tsx'
import { PayDialog } from './pay-dialog.tsx'
import styles from './topup-invoice.module.css'
import { TopupSign } from './topup-sign.tsx'
import { mayBePaid, statusText } from './topup-status.ts'
import { checkTopup, closeTopupPayment, payTopup, putAway } from './topup-store.ts'
import {
  amountToPay,
  amountWords,
  coinWords,
  formatAmount,
  methodWords,
  paidWords,
  receivedWords,
} from './topup-words.ts'

interface TopupInvoiceProps {
  topup: Topup
  /** Whose balance it adds to, where that is not the active account's. */
  account: string | undefined
  /** Made here and now: it takes the focus. */
  fresh: boolean
  unfolded: boolean
}

/** An invoice that is open, or that was when this window last looked: how to pay it, and what became of it. */
export function TopupInvoice({ topup, account, fresh, unfolded }: TopupInvoiceProps) {
  const now = useNow(1000)
  const [shown, setShown] = useState<boolean>()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (fresh) title.current?.focus()
  }, [fresh])
  const standing = topupStatus(topup, now)
  const name = amountWords(topup)
  const open = shown ?? unfolded
  return (
    <article className={styles.invoice} aria-label={t`Top-up: ${name}`}>
      <header className={styles.head}>
        <h3 className={styles.title} ref={title} tabIndex={-1}>
          {name}
        </h3>
        {account !== undefined && (
          <span className={styles.account}>
            <Trans>for {account}</Trans>
          </span>
        )}
        <TopupSign standing={standing} />
        {(standing === 'waiting' || standing === 'part-paid') && topup.expiresAt !== undefined && (
          <span className={styles.left}>
            <Trans>
              <Countdown until={topup.expiresAt} now={now} /> left
            </Trans>
          </span>
        )}
        <span className={styles.buttons}>
          {hasEnded(topup) ? (
            <Button onClick={() => putAway(topup.id)}>
              <Trans context="button">Done</Trans>
            </Button>
          ) : (
            <Button kind="link" aria-expanded={open} onClick={() => setShown(!open)}>
              {open ? t`Hide` : t`Show`}
            </Button>
          )}
        </span>
      </header>
      {(open || hasEnded(topup)) && <InvoiceBody topup={topup} now={now} ofActive={account === undefined} />}
    </article>
  )
}

function InvoiceBody({ topup, now, ofActive }: { topup: Topup; now: number; ofActive: boolean }) {
  const check = useAction(() => checkTopup(topup.id))
  const standing = topupStatus(topup, now)
  if (standing === 'settled' || standing === 'overpaid') return <Paid topup={topup} ofActive={ofActive} />
  const payable = mayBePaid(topup, now)
  return (
    <div className={styles.body}>
      <div className={styles.code}>
        {payable ? (
          <PaymentQr uri={topup.uri} payable={topup.payable} title={qrWords(topup)} />
        ) : (
          <p className={styles.noCode}>{noCodeWords(topup, standing)}</p>
        )}
      </div>
      <div className={styles.beside}>
        <Asked topup={topup} payable={payable} />
        <p className={styles.means}>{payable ? toPayWords(topup, now) : t`There’s nothing to pay here.`}</p>
        {topup.payment === 'failed' && (
          <p className={styles.means}>
            <strong>
              <Trans>The wallet didn’t pay. No money was sent.</Trans>
            </strong>
          </p>
        )}
        <div className={styles.actions}>
          {payable && topup.method === 'btc-lightning' && <FromWallet topup={topup} />}
          {!hasEnded(topup) && (
            <Button onClick={() => void check.run()} busy={check.busy && t`Loading…`}>
              <Trans>Check payment</Trans>
            </Button>
          )}
        </div>
        {check.failure && <FailureNote failure={check.failure} />}
        {(standing === 'payment-unknown' || standing === 'held') && <ClosePayment topupId={topup.id} />}
      </div>
    </div>
  )
}

function qrWords(topup: Topup): string {
  const what = amountWords(topup)
  return t`QR code to pay ${what}`
}

/** The received amount, then what a person copies: to pay, or to ask the service about the top-up. */
function Asked({ topup, payable }: { topup: Topup; payable: boolean }) {
  const received = receivedWords(topup)
  const { invoiceId } = topup
  return (
    <Facts>
      {received !== undefined && <Fact name={t`Received`}>{received}</Fact>}
      {payable ? (
        <ToPay topup={topup} />
      ) : (
        <Copied name={t`Top-up ID`} label={t`Copy top-up ID`} text={invoiceId}>
          <code>{invoiceId}</code>
        </Copied>
      )}
    </Facts>
  )
}

/** Everything that a payment can be made with, so that none of it is copied where nothing is to be paid. */
function ToPay({ topup }: { topup: Topup }) {
  const amount = amountToPay(topup)
  const cost = amount === undefined ? undefined : coinWords({ method: topup.method, coinAmount: amount })
  const { lightningInvoice, address } = topup
  return (
    <>
      {cost && amount !== undefined && (
        <Copied
          name={topup.received ? t`Still due` : t`Amount to pay`}
          label={t`Copy amount in ${methodWords[topup.method].coin}`}
          text={amount}
        >
          <strong>{cost.coin}</strong>
          {cost.sats !== undefined && <span className={styles.sats}>{cost.sats}</span>}
        </Copied>
      )}
      {address !== undefined && (
        <Copied name={t`Address`} label={t`Copy address`} text={address}>
          <code>{address}</code>
        </Copied>
      )}
      {lightningInvoice !== undefined && (
        <Copied name={t`Invoice`} label={t`Copy invoice`} text={lightningInvoice}>
          <code>{lightningInvoice}</code>
        </Copied>
      )}
    </>
  )
}

function Copied({
  name,
  label,
  text,
  children,
}: {
  name: string
  label: string
  text: string
  children: ReactNode
}) {
  return (
    <Fact name={name}>
      <span className={styles.copied}>
        <span className={styles.text}>{children}</span>
        <CopyButton label={label} text={() => text} />
      </span>
    </Fact>
  )
}

function FromWallet({ topup }: { topup: Topup }) {
  const wallet = useAnswer(walletQuestion, { once: true }).data?.connection?.kind
  const [asking, setAsking] = useState(false)
  const pay = useAction(() => payTopup(topup.id))
  if (wallet === undefined)
    return (
      <p className={styles.note}>
        {topup.payable ? (
          <Trans>
            <a href={addressOf({ room: 'wallet', part: 'connection' })}>Connect a Lightning wallet</a> to pay
            from Sotto.
          </Trans>
        ) : (
          <Trans>
            <a href={addressOf({ room: 'wallet', part: 'connection' })}>Connect the demo wallet</a> to pay
            from Sotto.
          </Trans>
        )}
      </p>
    )
  return (
    <>
      <Button kind="primary" onClick={() => setAsking(true)} busy={pay.busy && t`Contacting wallet…`}>
        <Trans>Pay from wallet…</Trans>
      </Button>
      {asking && (
        <PayDialog
          topup={topup}
          simulated={wallet === 'sandbox'}
          pay={() => void pay.run()}
          close={() => setAsking(false)}
        />
      )}
      {pay.failure && <FailureNote failure={pay.failure} className={styles.failure} />}
    </>
  )
}

/** A wallet may never report an outcome, so a person can end the wait. */
function ClosePayment({ topupId }: { topupId: string }) {
  const close = useAction(() => closeTopupPayment(topupId))
  return (
    <>
      {close.failure && <FailureNote failure={close.failure} />}
      <div className={styles.actions}>
        <Button onClick={() => void close.run()} busy={close.busy && t`Waiting for confirmation…`}>
          <Trans>Close payment…</Trans>
        </Button>
      </div>
      <p className={styles.note}>
        <Trans>
          Closing doesn’t cancel the payment: the wallet may still make it. The amount no longer counts
          towards your limits.
        </Trans>
      </p>
    </>
  )
}

/** What it cost in the end, and what is on the account now: the active one's balance alone is known. */
function Paid({ topup, ofActive }: { topup: Topup; ofActive: boolean }) {
  const picoUsd = useBalance({ once: true }).data?.picoUsd
  const cost = coinWords(topup)
  const over = topup.received?.covers === 'more' ? receivedWords(topup) : undefined
  return (
    <div className={styles.paid}>
      <Facts>
        <Fact name={t`Top-up`}>{formatAmount(topup.amount, topup.currency)}</Fact>
        {over !== undefined && <Fact name={t`Received`}>{over}</Fact>}
        {cost && over === undefined && <Fact name={t`Amount paid`}>{paidWords(cost, topup)}</Fact>}
        {ofActive && picoUsd !== undefined && <Fact name={t`Current balance`}>{formatBalance(picoUsd)}</Fact>}
      </Facts>
      {over !== undefined && <p className={styles.means}>{statusText.overpaid.means}</p>}
    </div>
  )
}

function toPayWords({ method, payable, received, expiresAt }: Topup, now: number): string {
  if (received?.due !== undefined) {
    const rest = coinWords({ method, coinAmount: received.due })?.coin ?? received.due
    if (expiresAt === undefined) return t`Send ${rest} more to the same address.`
    const until = formatMoment(expiresAt, now)
    return t`Send ${rest} more to the same address before ${until}.`
  }
  if (payable) return methodWords[method].toPay
  return method === 'btc-lightning'
    ? t`In demo mode, only the demo wallet can pay this.`
    : t`In demo mode, this can’t be paid. It’s only an example.`
}

/** Why there is nothing to be scanned. */
function noCodeWords({ problem }: Topup, standing: TopupStatus): string {
  if (standing === 'waiting') return t`Sotto can’t show this invoice for payment.`
  return standing === 'not-as-asked' && problem !== undefined
    ? codedFailure(problem).says
    : statusText[standing].means
}
