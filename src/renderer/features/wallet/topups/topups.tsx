import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { hasEnded } from '../../../../shared/topup-status.ts'
import { useAnswer, useScopedState } from '../../../data/use-answer.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { accountsQuestion } from '../accounts/account-store.ts'
import { TopupHistory } from './topup-history.tsx'
import { TopupInvoice } from './topup-invoice.tsx'
import { topupList, topupsInView } from './topup-store.ts'
import styles from './topups.module.css'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Open invoices and past top-ups. `children` is shown between them. */
export function Topups({ children }: { children?: ReactNode }) {
  const { items: topups, failure: topupsFailure, following } = useScopedState(topupList.state)
  const inView = useScopedState(topupsInView)
  const accounts = useAnswer(accountsQuestion, { once: true }).data ?? []
  const shown = topups?.filter((topup) => inView.has(topup.id) || !hasEnded(topup)) ?? []
  const former = topups?.filter((topup) => !shown.includes(topup)) ?? []
  const accountNames = new Map(accounts.filter(({ active }) => !active).map(({ id, name }) => [id, name]))
  return (
    <>
      {topupsFailure && <FailureNote failure={topupsFailure} className={styles.note} />}
      {!topups && !topupsFailure && <Skeleton label={t`Loading invoices…`} />}
      {shown.length > 0 && (
        <section aria-label={t`Open invoices`} className={styles.open}>
          <h2>{shown.length === 1 ? t`Invoice` : t`Invoices`}</h2>
          {shown.map((topup, index) => (
            <TopupInvoice
              key={topup.id}
              topup={topup}
              account={accountNames.get(topup.accountId)}
              fresh={false}
              unfolded={index === 0}
            />
          ))}
          {!following && topups && (
            <p className={styles.quiet}>
              <Trans>Live updates are paused. This list may be out of date.</Trans>
            </p>
          )}
        </section>
      )}
      {children}
      {topups && <TopupHistory topups={former} accountNames={accountNames} />}
    </>
  )
}
