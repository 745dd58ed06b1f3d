import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import { receiptDifference, type HistoryRecord, type MissingReceipt } from '../../../shared/history.ts'
import { factSeparator, formatList } from '../../ui/format/list.ts'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { tokenWords } from '../../ui/format/token-words.ts'
import { Moment } from '../../ui/moment.tsx'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { ReceiptRow } from '../../ui/receipt-row.tsx'
import { useLanguage } from '../../ui/language/language.ts'
import { sourceName, typeName } from './record-words.ts'
import styles from './record-row.module.css'

/** One query. Only a receipt shows who could read it; the row then opens the receipt. */
export const RecordRow = memo(function RecordRow({ record }: { record: HistoryRecord }) {
  useLanguage()
  const { receipt } = record
  if (!receipt)
    return (
      <div className={styles.alone}>
        <Cells record={record} />
      </div>
    )
  return (
    <ReceiptRow receiptId={receipt.id} className={styles.row}>
      <Cells record={record} />
    </ReceiptRow>
  )
})

function Cells({ record }: { record: HistoryRecord }) {
  const { at, model, inputTokens, outputTokens, receipt, keyName, keyId, errorCode } = record
  const who = keyName ?? <code>{keyId}</code>
  return (
    <>
      <span className={styles.mark}>
        {receipt ? (
          <PrivacyMark privacy={receipt.privacy} />
        ) : (
          <span className={styles.none}>
            <Trans>No receipt on this computer</Trans>
          </span>
        )}
      </span>
      <code className={styles.model}>{model === '' ? t`no model` : model}</code>
      <span className={styles.cost}>
        {record.cost === undefined ? t`cost unknown` : formatRecordedUsd(record.cost)}
        {receiptDifference(record) !== undefined && receipt?.cost !== undefined && (
          <span className={styles.differs}>
            <Trans>receipt: {formatRecordedUsd(receipt.cost)}</Trans>
          </span>
        )}
      </span>
      <span className={styles.time}>
        <Moment at={at} exact />
      </span>
      <span className={styles.what}>
        {kindOf(record)}
        {(keyName ?? keyId) !== undefined && (
          <>
            {kindOf(record) !== '' && factSeparator()}
            <Trans>key: {who}</Trans>
          </>
        )}
        {errorCode !== undefined && (
          <>
            {factSeparator()}
            {errorCode === 'upstream_error' ? t`provider error` : <code>{errorCode}</code>}
          </>
        )}
      </span>
      <span className={styles.numbers}>
        {inputTokens !== undefined &&
          outputTokens !== undefined &&
          inputTokens + outputTokens > 0 &&
          tokenWords(inputTokens, outputTokens)}
      </span>
    </>
  )
}

/** A request that is missing from the service's history. The row opens its receipt. */
export const MissingRow = memo(function MissingRow({
  missing: { at, model, inputTokens, outputTokens, keyName, keyId, receipt },
}: {
  missing: MissingReceipt
}) {
  useLanguage()
  const who = keyName ?? <code>{keyId}</code>
  return (
    <ReceiptRow receiptId={receipt.id} className={styles.row}>
      <span className={styles.mark}>
        <PrivacyMark privacy={receipt.privacy} />
      </span>
      <code className={styles.model}>{model === '' ? t`no model` : model}</code>
      <span className={styles.cost}>
        <Trans>receipt: {formatRecordedUsd(receipt.cost)}</Trans>
      </span>
      <span className={styles.time}>
        <Moment at={at} exact />
      </span>
      <span className={styles.what}>
        <strong className={styles.missing}>
          <Trans>Not in the service’s history</Trans>
        </strong>
        {(keyName ?? keyId) !== undefined && (
          <>
            {factSeparator()}
            <Trans>key: {who}</Trans>
          </>
        )}
      </span>
      <span className={styles.numbers}>
        {inputTokens !== undefined && outputTokens !== undefined && tokenWords(inputTokens, outputTokens)}
      </span>
    </ReceiptRow>
  )
})

function kindOf({ type, source, online, freeModel }: HistoryRecord): string {
  return formatList([
    type !== undefined && typeName(type),
    source !== undefined && t`source: ${sourceName(source)}`,
    online === true && t`web search`,
    freeModel === true && t`free model`,
  ])
}
