import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { LocalRequest } from '../../shared/local-key.ts'
import { formatRecordedUsd } from './format/money.ts'
import { formatCount } from './format/number.ts'
import { formatAdded, formatLatency } from './format/time.ts'
import { tokenWords } from './format/token-words.ts'
import { Moment } from './moment.tsx'
import { PrivacyMark } from './privacy-mark.tsx'
import styles from './request-cells.module.css'

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

/** An error code, which breaks after its area if the column is narrow. */
function Code({ code }: { code: string }) {
  const end = code.indexOf('/') + 1
  return (
    <code>
      {code.slice(0, end)}
      <wbr />
      {code.slice(end)}
    </code>
  )
}

/** A request in the columns of `RequestColumns`, without content. `children` replaces the name of its key. */
export function RequestCells({ request, children }: { request: LocalRequest; children?: ReactNode }) {
  const { at, tool, model, askedModel, privacy, outcome, code, usage, addedMs, durationMs } = request
  return (
    <>
      <span className={styles.time}>
        <Moment at={at} exact />
      </span>
      <bdi className={styles.tool} title={tool}>
        {children ?? tool}
      </bdi>
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
            <span className={styles.counts} aria-hidden>
              {formatCount(usage.prompt)} / {formatCount(usage.completion)}
            </span>
            <span className={styles.words}>{tokenWords(usage.prompt, usage.completion)}</span>
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
        {code !== undefined && <Code code={code} />}
      </span>
    </>
  )
}

/** The names of the columns, for the eye: a row has its values in words. `tool` names the column of keys. */
export function RequestColumns({ tool = t`Tool` }: { tool?: string }) {
  return (
    <div className={styles.columns} aria-hidden>
      <span>{t`Time`}</span>
      <span>{tool}</span>
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
