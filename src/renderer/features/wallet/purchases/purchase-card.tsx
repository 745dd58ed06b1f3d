import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useRef, type FocusEvent } from 'react'
import { purchaseStatus } from '../../../../shared/purchase-status.ts'
import type { Purchase } from '../../../../shared/purchase.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatSats, formatUsd } from '../../../ui/format/money.ts'
import { Moment } from '../../../ui/moment.tsx'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { Delivered } from './delivered.tsx'
import { statusText } from './purchase-status.ts'
import { endpointNames, isHighFee } from './purchase-words.ts'
import styles from './purchases.module.css'
import { Quote } from './quote.tsx'
import { Undelivered } from './undelivered.tsx'
import { Making, Unresolved } from './unresolved.tsx'

/** One purchase: its known facts and its actions. `focus`: whether the user requested it a moment ago. */
export function PurchaseCard({ purchase, focus }: { purchase: Purchase; focus: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  const id = useId()
  useEffect(() => {
    if (focus) title.current?.focus()
  }, [focus])
  const status = purchaseStatus(purchase)
  const within = useRef(false)
  const left = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) within.current = false
  }
  // A change of state removes the pressed button, so the focus moves to this purchase's title for keyboard
  // users.
  useEffect(() => {
    if (within.current && document.activeElement === document.body) title.current?.focus()
  }, [status])
  const { name, means } = statusText[status]
  const quoted = purchase.state === 'quoted'
  return (
    <article
      className={styles.card}
      aria-labelledby={id}
      onFocus={() => {
        within.current = true
      }}
      onBlur={left}
    >
      <header className={styles.head}>
        <h4 id={id} ref={title} tabIndex={-1} className={styles.name}>
          {endpointNames[purchase.endpoint]} <code>{purchase.subject}</code>
        </h4>
        <span className={styles.state}>{name}</span>
      </header>
      {!quoted && (
        <p className={styles.line}>
          {purchase.caller.kind === 'proxy' ? (
            <Trans>
              <Money purchase={purchase} />, <Moment at={purchase.at} exact />, requested by a tool
            </Trans>
          ) : (
            <Trans>
              <Money purchase={purchase} />, <Moment at={purchase.at} exact />
            </Trans>
          )}
        </p>
      )}
      <p className={styles.line}>
        <PrivacyMark privacy="forwarded" />
      </p>
      {means !== undefined && (!purchase.failure || status === 'given-up' || status === 'closed') && (
        <p className={styles.means}>{means}</p>
      )}
      {purchase.failure && status !== 'delivered' && status !== 'given-up' && status !== 'closed' && (
        <FailureNote failure={purchase.failure} isSaved />
      )}
      {quoted && <Quote purchase={purchase} />}
      {status === 'making' && <Making purchase={purchase} />}
      {(status === 'undelivered' || status === 'not-made' || status === 'given-up') && (
        <Undelivered purchase={purchase} retry={status === 'undelivered'} />
      )}
      {(status === 'unknown' || status === 'held' || status === 'closed') && (
        <Unresolved purchase={purchase} />
      )}
      {status === 'delivered' && <Delivered purchase={purchase} />}
    </article>
  )
}

const unpaid: readonly Purchase['state'][] = ['declined', 'failed', 'expired']

function Money({ purchase }: { purchase: Purchase }) {
  const { amountMsat, worth, feeMsat, listed, state } = purchase
  const sats = formatSats(amountMsat)
  const about = worth === undefined ? undefined : formatUsd(worth)
  const host = <code>{purchase.host}</code>
  if (unpaid.includes(state))
    return about === undefined ? (
      <Trans>
        {sats} requested by {host}
      </Trans>
    ) : (
      <Trans>
        {sats} (about {about}) requested by {host}
      </Trans>
    )
  const fee = formatSats(feeMsat ?? '0')
  const paid =
    about === undefined ? (
      <Trans>
        <strong>{sats}</strong> to {host}
      </Trans>
    ) : (
      <Trans>
        <strong>{sats}</strong> (about {about}) to {host}
      </Trans>
    )
  return (
    <>
      {feeMsat === undefined || feeMsat === '0' ? (
        paid
      ) : isHighFee(purchase) ? (
        <Trans>
          {paid}, plus {fee} in fees<strong> (unusually high)</strong>
        </Trans>
      ) : (
        <Trans>
          {paid}, plus {fee} in fees
        </Trans>
      )}
      {listed !== undefined && (
        <>
          {' '}
          <Trans>(list price {formatUsd(listed)})</Trans>
        </>
      )}
    </>
  )
}
