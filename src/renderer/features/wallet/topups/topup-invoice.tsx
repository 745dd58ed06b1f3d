import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { hasEnded, topupStatus, type TopupStatus } from '../../../../shared/topup-status.ts'
import type { Topup } from '../../../../shared/topup.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { codedFailure } from '../../../ui/failure.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatMoment } from '../../../ui/format/time.ts'
import { go } from '../../../ui/route.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useNow } from '../../../ui/use-now.ts'
import { formatBalance } from '../balance-words.ts'
import { useBalance } from '../balance-store.ts'
import { PaymentQr } from '../../../ui/payment/payment-qr.tsx'
import { Countdown } from './countdown.tsx'
import { PayActions } from './pay-actions.tsx'
import styles from './topup-invoice.module.css'
import { TopupSign } from './topup-sign.tsx'
import { mayBePaid, statusText } from './topup-status.ts'
import { checkTopup, closeTopupPayment, putAway } from './topup-store.ts'
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
  /** The account that the top-up is for, if it isn't the active one. */
  account: string | undefined
  /** Whether the user just created the invoice here; it then takes the focus. */
  fresh: boolean
  /** Whether it shows its code at first. */
  unfolded?: boolean
  /** Whether it's the only one of its page, and so can't be folded. */
  single?: boolean
}

/** An invoice that is pending, or was when the window last looked: how to pay it, and its outcome. */
export function TopupInvoice({ topup, account, fresh, unfolded = true, single = false }: TopupInvoiceProps) {
  const now = useNow(1000)
  const [shown, setShown] = useState<boolean>()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (fresh) title.current?.focus()
  }, [fresh])
  const status = topupStatus(topup, now)
  const name = amountWords(topup)
  const open = single || (shown ?? unfolded)
  const settled = status === 'settled' || status === 'overpaid'
  const scan = (open || hasEnded(topup)) && !settled
  return (
    <article
      className={classNames(styles.invoice, scan && styles.scan, single && styles.single)}
      aria-label={t`Top-up: ${name}`}
    >
      <header className={styles.head}>
        <h3 className={styles.title} ref={title} tabIndex={-1}>
          {name}
        </h3>
        {account !== undefined && (
          <span className={styles.account}>
            <Trans>for {account}</Trans>
          </span>
        )}
        <TopupSign status={status} />
        {(status === 'waiting' || status === 'part-paid') && topup.expiresAt !== undefined && (
          <span className={styles.left}>
            <Trans>
              <Countdown until={topup.expiresAt} now={now} /> left
            </Trans>
          </span>
        )}
        <span className={styles.buttons}>
          {hasEnded(topup) && (
            <Button onClick={() => finish(topup.id, single)}>
              <Trans context="button">Done</Trans>
            </Button>
          )}
          {!hasEnded(topup) && !single && (
            <Button kind="link" aria-expanded={open} onClick={() => setShown(!open)}>
              {open ? t`Hide` : t`Show`}
            </Button>
          )}
        </span>
      </header>
      {settled && <Paid topup={topup} ofActive={account === undefined} />}
      {scan && <InvoiceBody topup={topup} now={now} />}
    </article>
  )
}

function finish(topupId: string, single: boolean): void {
  putAway(topupId)
  if (single) go({ view: 'wallet' })
}

function InvoiceBody({ topup, now }: { topup: Topup; now: number }) {
  const check = useAction(() => checkTopup(topup.id))
  const status = topupStatus(topup, now)
  const payable = mayBePaid(topup, now)
  return (
    <>
      <div className={styles.code}>
        {payable ? (
          <PaymentQr uri={topup.uri} payable={topup.payable} title={qrWords(topup)} />
        ) : (
          <p className={styles.noCode}>{noCodeWords(topup, status)}</p>
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
        {payable && <PayActions topup={topup} uri={topup.uri} />}
        {!hasEnded(topup) && (
          <Button
            kind="link"
            className={styles.check}
            onClick={() => void check.run()}
            busy={check.busy && t`Loading…`}
          >
            <Trans>Check payment</Trans>
          </Button>
        )}
        {check.failure && <FailureNote failure={check.failure} />}
        {(status === 'payment-unknown' || status === 'held') && <ClosePayment topupId={topup.id} />}
      </div>
    </>
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

/** Everything that a person needs to pay. A separate part, so that nothing can be copied if nothing is due. */
function ToPay({ topup }: { topup: Topup }) {
  const amount = amountToPay(topup)
  const cost = amount === undefined ? undefined : coinWords({ method: topup.method, coinAmount: amount })
  const { address } = topup
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
          Closing doesn’t cancel the payment: the wallet may still make it. The amount no longer counts toward
          your limits.
        </Trans>
      </p>
    </>
  )
}

/** The final cost and the current balance. Only the active account's balance is known. */
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

/** Why the invoice shows no code to scan. */
function noCodeWords({ problem }: Topup, status: TopupStatus): string {
  if (status === 'waiting') return t`Sotto can’t show this invoice for payment.`
  return status === 'not-as-asked' && problem !== undefined
    ? codedFailure(problem).says
    : statusText[status].means
}
