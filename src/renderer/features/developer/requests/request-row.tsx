import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import type { LocalRequest } from '../../../../shared/local-key.ts'
import { formatRecordedUsd } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { formatAdded, formatLatency } from '../../../ui/format/time.ts'
import { tokenWords } from '../../../ui/format/token-words.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { ReceiptRow } from '../../../ui/receipt-row.tsx'
import { useLanguage } from '../../../ui/language/language.ts'
import styles from './request-row.module.css'

const outcomeWord: Readonly<Record<LocalRequest['outcome'], string>> = {
  get complete() {
    return t`Done`
  },
  get interrupted() {
    return t`interrupted`
  },
  get cancelled() {
    return t`stopped by the tool`
  },
  get failed() {
    return t`failed`
  },
  get refused() {
    return t`not sent`
  },
}

/** A request in the columns of `RequestColumns`. It opens its receipt. */
export const RequestRow = memo(function RequestRow({ request }: { request: LocalRequest }) {
  useLanguage()
  const { id, at, tool, model, askedModel, privacy, outcome, code, usage, addedMs, durationMs } = request
  return (
    <ReceiptRow receiptId={id} className={styles.row}>
      <span className={styles.time}>
        <Moment at={at} exact />
      </span>
      <span className={styles.tool} title={tool}>
        {tool}
      </span>
      <span className={styles.model}>
        <code>{model === '' ? t`no model` : model}</code>
        {askedModel !== undefined && (
          <>
            {' '}
            <span className={styles.requested}>
              <Trans>
                (asked for <code>{askedModel}</code>)
              </Trans>
            </span>
          </>
        )}
      </span>
      <span className={styles.mark}>
        <PrivacyMark privacy={privacy} />
      </span>
      <span className={styles.tokens}>
        {usage && (
          <>
            <span aria-hidden>
              {formatCount(usage.prompt)} / {formatCount(usage.completion)}
            </span>
            <Hidden>{tokenWords(usage.prompt, usage.completion)}</Hidden>
          </>
        )}
      </span>
      <span className={styles.latency}>
        {durationMs !== undefined && <span>{formatLatency(durationMs)}</span>}
        {addedMs !== undefined && (
          <span className={styles.overhead}>
            <Trans>{formatAdded(addedMs)} overhead</Trans>
          </span>
        )}
      </span>
      <span className={styles.cost}>{costWords(request)}</span>
      <span className={styles.result}>
        <span className={styles.outcome}>{outcomeWord[outcome]}</span>
        {code !== undefined && <code>{code}</code>}
      </span>
    </ReceiptRow>
  )
})

/** The names of the columns, for the eye: a row has its values in words. */
export function RequestColumns() {
  return (
    <div className={styles.columns} aria-hidden>
      <span>{t`Time`}</span>
      <span>{t`Tool`}</span>
      <span>{t`Model`}</span>
      <span>{t`Privacy`}</span>
      <span className={styles.end}>{t`Tokens in / out`}</span>
      <span className={styles.end}>{t`Latency`}</span>
      <span className={styles.end}>{t`Cost`}</span>
      <span>{t`Result`}</span>
    </div>
  )
}

/** The cost; if it's unknown, the amount charged to the budget; nothing if the request wasn't sent. */
function costWords({ privacy, cost, charged }: LocalRequest): string {
  if (cost !== undefined) return formatRecordedUsd(cost)
  if (privacy === 'refused') return '–'
  return charged === undefined ? t`cost unknown` : t`${formatRecordedUsd(charged)} charged`
}
