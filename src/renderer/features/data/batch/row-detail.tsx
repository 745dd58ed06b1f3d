import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { BatchRow } from '../../../../shared/job-rows.ts'
import type { Job } from '../../../../shared/job.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { formatExactUsd, formatSats } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { fetchReceipt, showReceipt } from '../../../ui/receipt-store.ts'
import { AnswerView } from '../results/answer-view.tsx'
import { rowWords } from './batch-words.ts'
import kept from '../kept.module.css'
import styles from './batch.module.css'
import { Skeleton } from '../../../ui/skeleton.tsx'

const MOST_CELLS = 100

/** The whole row: its cells, its outcome, its cost and its answer. */
export function RowDetail({
  job,
  index,
  columns,
  onClose,
}: {
  job: Job
  index: number
  columns: readonly string[]
  onClose: () => void
}) {
  const title = useRef<HTMLHeadingElement>(null)
  const [row, setRow] = useState<BatchRow>()
  const [failure, setFailure] = useState<Failure>()
  const { id: jobId, state } = job
  // A batch that runs changes many times in a second.
  const second = Math.floor(job.changedAt / 1000)
  const over = row?.state === 'done'
  useEffect(() => {
    if (over) return
    const left = new AbortController()
    api.studio.row({ jobId, index }, { signal: left.signal }).then(
      (answer) => {
        if (left.signal.aborted) return
        setRow(answer)
        setFailure(undefined)
      },
      (thrown: unknown) => {
        if (!left.signal.aborted) setFailure(asFailure(thrown))
      },
    )
    return () => left.abort()
  }, [jobId, index, second, state, over])
  useEffect(() => {
    title.current?.focus()
  }, [])
  const number = formatCount(index + 1)
  const receiptId = row?.receiptId
  return (
    <section className={styles.detail} aria-label={t`Row ${number}`}>
      <header className={kept.head}>
        <h4 ref={title} tabIndex={-1} className={kept.title}>
          <Trans>Row {number}</Trans>
        </h4>
        {row && <span className={kept.state}>{rowWords[row.state]}</span>}
      </header>
      {failure && <FailureNote failure={failure} />}
      {!row && !failure && <Skeleton label={t`Loading row…`} />}
      {row && (
        <>
          <dl className={styles.cells}>
            {row.cells.slice(0, MOST_CELLS).map((cell, at) => (
              <div key={at}>
                <dt>{columns[at] ?? formatCount(at + 1)}</dt>
                <dd>{cell === '' ? '–' : cell.slice(0, 500)}</dd>
              </div>
            ))}
          </dl>
          <p className={styles.quiet}>{costLine(row)}</p>
          {row.failure && <FailureNote failure={row.failure} isSaved />}
          {row.answer !== undefined && row.state === 'done' && (
            <AnswerView text={row.answer} name={`sotto-row-${String(index + 1)}`} />
          )}
        </>
      )}
      <div className={styles.actions}>
        {receiptId !== undefined && (
          <Button onClick={() => void fetchReceipt(receiptId).then(() => showReceipt(receiptId))}>
            <Trans>Open receipt</Trans>
          </Button>
        )}
        <Button onClick={onClose}>
          <Trans>Close row</Trans>
        </Button>
      </div>
    </section>
  )
}

function costLine({ cost, paidMsat, state }: BatchRow): string {
  if (paidMsat !== undefined) return t`Cost ${formatSats(paidMsat)}`
  if (cost !== undefined) return t`Cost ${formatExactUsd(cost)}`
  return state === 'ready' ? t`No cost until sent` : t`Cost unknown`
}
