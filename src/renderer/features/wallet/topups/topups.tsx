import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { hasEnded } from '../../../../shared/topup-status.ts'
import { useAnswer, useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { accountsQuestion } from '../accounts/account-store.ts'
import { TopupForm } from './topup-form.tsx'
import { TopupHistory } from './topup-history.tsx'
import { TopupInvoice } from './topup-invoice.tsx'
import { methodsQuestion, topupList, topupsInView } from './topup-store.ts'
import styles from './topups.module.css'

/** Adding funds: open invoices, a new top-up, and past top-ups. */
export function Topups() {
  const hasAccount = useStatus((state) => state.status?.account.connected === true)
  const { items: topups, failure: topupsFailure, following } = useScopedState(topupList.state)
  const inView = useScopedState(topupsInView)
  const accounts = useAnswer(accountsQuestion, { once: true }).data ?? []
  const [made, setMade] = useState<string>()
  const [another, setAnother] = useState(false)
  const shown = topups?.filter((topup) => inView.has(topup.id) || !hasEnded(topup)) ?? []
  const former = topups?.filter((topup) => !shown.includes(topup)) ?? []
  const unfolded = shown.find(({ id }) => id === made)?.id ?? shown[0]?.id
  const open = shown.filter((topup) => !hasEnded(topup))
  const accountNames = new Map(accounts.filter(({ active }) => !active).map(({ id, name }) => [id, name]))
  return (
    <div>
      {topupsFailure && <FailureNote failure={topupsFailure} className={styles.note} />}
      {!topups && !topupsFailure && (
        <p className={styles.quiet} role="status">
          <Trans>Loading invoices…</Trans>
        </p>
      )}
      {shown.length > 0 && (
        <section aria-label={t`Open invoices`} className={styles.open}>
          <h2>{shown.length === 1 ? t`Invoice` : t`Invoices`}</h2>
          {shown.map((topup) => (
            <TopupInvoice
              key={topup.id}
              topup={topup}
              account={accountNames.get(topup.accountId)}
              fresh={topup.id === made}
              unfolded={topup.id === unfolded}
            />
          ))}
          {!following && topups && (
            <p className={styles.quiet}>
              <Trans>Live updates are paused. This list may be out of date.</Trans>
            </p>
          )}
        </section>
      )}
      {hasAccount &&
        (open.length === 0 || another ? (
          <section aria-label={t`New top-up`} className={styles.new}>
            <h2>
              <Trans>New top-up</Trans>
            </h2>
            <NewTopup
              onMade={(id) => {
                setMade(id)
                setAnother(false)
              }}
            />
          </section>
        ) : (
          <p className={styles.another}>
            <Button onClick={() => setAnother(true)}>
              <Trans>New top-up…</Trans>
            </Button>
          </p>
        ))}
      {topups && <TopupHistory topups={former} accountNames={accountNames} />}
    </div>
  )
}

function NewTopup({ onMade }: { onMade: (topupId: string) => void }) {
  const { data: methods, failure, refresh } = useAnswer(methodsQuestion, { once: true })
  if (methods) return <TopupForm methods={methods} onMade={({ id }) => onMade(id)} />
  if (failure)
    return (
      <FailureNote failure={failure} className={styles.note}>
        <Button onClick={refresh}>
          <Trans>Try again</Trans>
        </Button>
      </FailureNote>
    )
  return (
    <p className={styles.quiet} role="status">
      <Trans>Loading payment methods…</Trans>
    </p>
  )
}
