import { t } from '@lingui/core/macro'
import type { Receipt } from '../../../shared/receipt.ts'
import { costOf } from '../../../shared/receipt-cost.ts'
import { useAnswer, type Question } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { Moment } from '../../ui/moment.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { ReceiptRow } from '../../ui/receipt-row.tsx'
import { keepReceipts } from '../../ui/receipt-store.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
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

const question: Question<readonly Receipt[]> = {
  key: ['receipts'],
  ask: async (context) => {
    const list = await api.receipts.list({ limit: SHOWN }, context)
    keepReceipts(list)
    return list.toSorted((a, b) => b.at - a.at)
  },
}

/** The outcomes of the last requests of this window and of other programs, which send more while this view is open. */
export function Receipts() {
  const { data: receipts, failure } = useAnswer(question, { every: RENEW_MS, transient: true })
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
