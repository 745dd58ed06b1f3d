import { memo } from 'react'
import type { LocalRequest } from '../../../../shared/local-key.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { formatAdded } from '../../../ui/format/time.ts'
import { Moment } from '../../../ui/moment.tsx'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { ReceiptRow } from '../../../ui/receipt-row.tsx'
import styles from './request-row.module.css'

const outcomeWord: Readonly<Record<LocalRequest['outcome'], string>> = { complete: '', interrupted: 'interrupted', cancelled: 'stopped by the tool', failed: 'failed', refused: '' }

export const RequestRow = memo(function RequestRow({ request }: { request: LocalRequest }) {
  const { id, at, tool, model, privacy, outcome, code, usage, addedMs } = request
  const ending = outcomeWord[outcome]
  return (
    <ReceiptRow receiptId={id} className={styles.row}>
      <span className={styles.mark}><PrivacyMark privacy={privacy} /></span>
      <code className={styles.model}>{model === '' ? 'no model' : model}</code>
      <span className={styles.cost}>{costWords(request)}</span>
      <span className={styles.time}><Moment at={at} exact /></span>
      <span className={styles.tool}>
        {tool}
        {ending !== '' && <>, {ending}</>}
        {code !== undefined && <> <code>{code}</code></>}
      </span>
      <span className={styles.numbers}>
        {usage && <span>{formatCount(usage.prompt)} tokens in, {formatCount(usage.completion)} out</span>}
        {addedMs !== undefined && <span>{formatAdded(addedMs)} added</span>}
      </span>
    </ReceiptRow>
  )
})

/** What it cost; where that is not known, what the budget was charged; of what was not sent, nothing. */
function costWords({ privacy, cost, charged }: LocalRequest): string {
  if (cost !== undefined) return formatUsd(cost)
  if (privacy === 'refused') return 'not sent'
  return charged === undefined ? 'cost not known' : `${formatUsd(charged)} charged`
}
