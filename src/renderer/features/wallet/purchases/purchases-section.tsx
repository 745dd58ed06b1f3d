import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useFollow } from '../../../data/live-list.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { useAnswer, useScopedState } from '../../../data/use-answer.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Button } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Section } from '../../../ui/view.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { walletQuestion } from '../connection/wallet-store.ts'
import { PurchaseCard } from './purchase-card.tsx'
import { PurchaseForm } from './purchase-form.tsx'
import { purchaseList } from './purchase-store.ts'
import styles from './purchases.module.css'

const SHOWN = 10

/** Requests that are paid one at a time. The form is outside of the scope, so its input remains after a change of account. */
export function PurchasesSection() {
  const connected = useStatus((state) => state.status?.account.connected)
  const [quoted, setQuoted] = useState<string>()
  return (
    <Section
      title={t`Pay per request`}
      description={
        <>
          <Trans>
            Pay for single images, videos, and data lookups over Lightning, without an account. The service
            quotes a price, you pay its invoice, and it delivers.
          </Trans>
          {connected === true && (
            <>
              {' '}
              <Trans>These purchases aren’t charged to the active account.</Trans>
            </>
          )}
        </>
      }
    >
      <PurchaseForm onQuoted={setQuoted} />
      <ServiceScope>
        <Purchases quoted={quoted} />
      </ServiceScope>
    </Section>
  )
}

function Purchases({ quoted }: { quoted: string | undefined }) {
  useFollow(purchaseList)
  useAnswer(walletQuestion)
  const { items: purchases, failure, following } = useScopedState(purchaseList.state)
  const [shown, setShown] = useState(SHOWN)
  return (
    <section className={styles.list} aria-label={t`Purchases`}>
      <h3 className={styles.title}>
        <Trans>Purchases</Trans>
      </h3>
      {failure && <FailureNote failure={failure} className={styles.gap} />}
      {!purchases && !failure && <Skeleton label={t`Loading purchases…`} />}
      {purchases?.length === 0 && (
        <p className={styles.quiet}>
          <Trans>No purchases yet.</Trans>
        </p>
      )}
      {purchases && purchases.length > 0 && (
        <ul className={styles.cards}>
          {purchases.slice(0, shown).map((purchase) => (
            <li key={purchase.id}>
              <PurchaseCard purchase={purchase} focus={purchase.id === quoted} />
            </li>
          ))}
        </ul>
      )}
      {purchases && purchases.length > shown && (
        <Button className={styles.gap} onClick={() => setShown(shown + SHOWN)}>
          <Trans>Show older</Trans>
        </Button>
      )}
      {purchases && purchases.length > 0 && !following && (
        <p className={styles.quiet} role="status">
          <Trans>Live updates are paused. This list may be out of date.</Trans>
        </p>
      )}
    </section>
  )
}
