import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { costOf } from '../../../shared/receipt-cost.ts'
import { api } from '../../ui/api.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { asFailure } from '../../ui/failure.ts'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { Moment } from '../../ui/moment.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { ReceiptRow } from '../../ui/receipt-row.tsx'
import { keepReceipts } from '../../ui/receipt-store.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { useStatus } from '../../ui/status-store.ts'
import styles from './receipts.module.css'

const SHOWN = 50
const RENEW_MS = 5000

const outcomeWord: Readonly<Record<Receipt['outcome'], string>> = {
  get complete() {
    return t`complete`
  },
  get interrupted() {
    return t`interrupted`
  },
  get cancelled() {
    return t`stopped`
  },
  get failed() {
    return t`failed`
  },
  get refused() {
    return t`not sent`
  },
}

/** The outcomes of the last requests of this window and of other programs. */
export function Receipts() {
  const profileId = useStatus((state) => state.status?.service.profileId)
  const [receipts, setReceipts] = useState<readonly Receipt[]>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    let wanted = true
    const fetchList = () =>
      api.receipts.list({ limit: SHOWN }).then(
        (list) => {
          if (!wanted) return
          keepReceipts(list)
          setReceipts(list.toSorted((a, b) => b.at - a.at))
          setFailure(undefined)
        },
        (thrown: unknown) => {
          if (wanted) setFailure(asFailure(thrown))
        },
      )
    void fetchList()
    // Other programs send requests while this view is open.
    const timer = setInterval(() => {
      if (!document.hidden) void fetchList()
    }, RENEW_MS)
    return () => {
      wanted = false
      clearInterval(timer)
      // The receipts belong to the former service.
      setReceipts(undefined)
      setFailure(undefined)
    }
  }, [profileId])
  return (
    <Section
      title={t`Receipts`}
      description={t`Recent requests from this window and your other tools, with the outcome of each. Receipts never contain prompts or replies.`}
    >
      {failure && <FailureNote failure={failure} />}
      {!receipts && !failure && <Skeleton label={t`Loading receipts…`} />}
      {receipts?.length === 0 && <EmptyState title={t`No requests yet`} />}
      {receipts && receipts.length > 0 && (
        <ul className={styles.list}>
          {receipts.map((receipt) => (
            <li key={receipt.id}>
              <ReceiptRow receiptId={receipt.id} className={styles.receipt}>
                <PrivacyMark privacy={receipt.privacy} />
                <span className={styles.model}>{receipt.model}</span>
                <span className={styles.outcome}>{outcomeWord[receipt.outcome]}</span>
                <span className={styles.cost}>{costWords(receipt)}</span>
                <span className={styles.time}>
                  <Moment at={receipt.at} />
                </span>
              </ReceiptRow>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function costWords(receipt: Receipt): string {
  const cost = costOf(receipt)
  return cost === undefined ? '' : formatRecordedUsd(cost)
}
