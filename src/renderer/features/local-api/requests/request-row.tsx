import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { memo } from 'react'
import type { LocalRequest } from '../../../../shared/local-key.ts'
import { formatRecordedUsd } from '../../../ui/format/money.ts'
import { formatAdded } from '../../../ui/format/time.ts'
import { tokenWords } from '../../../ui/format/token-words.ts'
import { Moment } from '../../../ui/moment.tsx'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { ReceiptRow } from '../../../ui/receipt-row.tsx'
import { useLanguage } from '../../../ui/language/language.ts'
import styles from './request-row.module.css'

const outcomeWord: Readonly<Record<LocalRequest['outcome'], string>> = {
  complete: '',
  get interrupted() {
    return t`interrupted`
  },
  get cancelled() {
    return t`stopped by the tool`
  },
  get failed() {
    return t`failed`
  },
  refused: '',
}

export const RequestRow = memo(function RequestRow({ request }: { request: LocalRequest }) {
  useLanguage()
  const { id, at, tool, model, askedModel, privacy, outcome, code, usage, addedMs } = request
  const ending = outcomeWord[outcome]
  return (
    <ReceiptRow receiptId={id} className={styles.row}>
      <span className={styles.mark}>
        <PrivacyMark privacy={privacy} />
      </span>
      <span className={styles.model}>
        <code>{model === '' ? t`no model` : model}</code>
        {askedModel !== undefined && (
          <>
            {' '}
            <span className={styles.asked}>
              <Trans>
                (asked for <code>{askedModel}</code>)
              </Trans>
            </span>
          </>
        )}
      </span>
      <span className={styles.cost}>{costWords(request)}</span>
      <span className={styles.time}>
        <Moment at={at} exact />
      </span>
      <span className={styles.tool}>
        {tool}
        {ending !== '' && <>, {ending}</>}
        {code !== undefined && (
          <>
            {' '}
            <code>{code}</code>
          </>
        )}
      </span>
      <span className={styles.numbers}>
        {usage && <span>{tokenWords(usage.prompt, usage.completion)}</span>}
        {addedMs !== undefined && (
          <span>
            <Trans>{formatAdded(addedMs)} overhead</Trans>
          </span>
        )}
      </span>
    </ReceiptRow>
  )
})

/** What it cost; where that is not known, what the budget was charged; of what was not sent, nothing. */
function costWords({ privacy, cost, charged }: LocalRequest): string {
  if (cost !== undefined) return formatRecordedUsd(cost)
  if (privacy === 'refused') return t`not sent`
  return charged === undefined ? t`cost unknown` : t`${formatRecordedUsd(charged)} charged`
}
