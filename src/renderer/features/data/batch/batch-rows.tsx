import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { rowStates, type BatchRow, type RowState } from '../../../../shared/job-rows.ts'
import type { Job } from '../../../../shared/job.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatRecordedUsd, formatSats } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { SelectField } from '../../../ui/select.tsx'
import { widthFor } from '../results/column-layout.ts'
import { Grid, type GridColumn, type GridPlace } from '../results/grid.tsx'
import { rowWords } from './batch-words.ts'
import styles from './batch.module.css'
import { RowDetail } from './row-detail.tsx'
import { useRows } from './use-rows.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

const FIXED = 3
const SHOWN = 160

/**
 * Every row with its state, its cost and the beginning of its answer. The whole selected row is below the
 * table.
 */
export function BatchRows({ job }: { job: Job }) {
  const [filter, setFilter] = useState<RowState>()
  const states = useMemo(() => (filter === undefined ? undefined : [filter]), [filter])
  const { columns, sample, total, at, failure, look, again } = useRows(job.id, states, job.changedAt)
  const [place, setPlace] = useState<GridPlace>()
  const [opened, setOpened] = useState<number>()
  const head = useMemo(
    (): readonly GridColumn[] => [
      { id: 'row', name: t`Row`, numeric: true, width: 80 },
      { id: 'state', name: t`Status`, numeric: false, width: 104 },
      { id: 'cost', name: t`Cost`, numeric: true, width: 96 },
      ...columns.map((name, index) => ({
        id: `column ${String(index)}`,
        name,
        numeric: false,
        width: widthFor(
          name,
          sample.map((cells) => (cells[index] ?? '').slice(0, 60)),
        ),
      })),
      { id: 'answer', name: t`Reply`, numeric: false, width: 420 },
    ],
    [columns, sample],
  )
  const textAt = useMemo(
    () => (row: number, column: number) => {
      const found = at(row)
      return found && textOf(found, column, columns.length)
    },
    [at, columns],
  )
  const chosen = place && place.row >= 0 ? at(place.row) : undefined
  return (
    <section className={styles.rows} aria-label={t`Rows`}>
      <div className={styles.rowsHead}>
        <h3>
          <Trans>Rows</Trans>
        </h3>
        <SelectField
          label={t`Show`}
          className={styles.filter}
          value={filter ?? ''}
          onChange={(event) => {
            setFilter(rowStates.find((each) => each === event.target.value))
            setPlace(undefined)
          }}
        >
          <option value="">{t`All rows`}</option>
          {rowStates.map((state) => (
            <option key={state} value={state}>
              {rowWords[state]}
            </option>
          ))}
        </SelectField>
      </div>
      {failure && <FailureNote failure={failure} onRetry={again} />}
      {total === 0 && filter === undefined && <Skeleton label={t`Loading rows…`} />}
      {total === 0 && filter !== undefined && <EmptyState title={t`No rows with this status`} />}
      {total > 0 && (
        <Grid
          label={t`Batch rows`}
          columns={head}
          count={total}
          textAt={textAt}
          place={place}
          onPlace={setPlace}
          onOpen={({ row }) => setOpened(at(row)?.index)}
          onRows={look}
        />
      )}
      {total > 0 && <p className={styles.quiet}>{plural(total, { one: 'One row', other: '# rows' })}</p>}
      {chosen && opened !== chosen.index && (
        <p>
          <Button
            onClick={() => setOpened(chosen.index)}
          >{t`Open row ${formatCount(chosen.index + 1)}`}</Button>
        </p>
      )}
      {opened !== undefined && (
        <RowDetail
          key={opened}
          job={job}
          index={opened}
          columns={columns}
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  )
}

function textOf(row: BatchRow, column: number, columns: number): string {
  if (column === 0) return formatCount(row.index + 1)
  if (column === 1) return rowWords[row.state]
  if (column === 2)
    return row.paidMsat !== undefined
      ? formatSats(row.paidMsat)
      : row.cost === undefined
        ? ''
        : formatRecordedUsd(row.cost)
  if (column < FIXED + columns) return (row.cells[column - FIXED] ?? '').slice(0, SHOWN)
  return (row.failure?.says ?? row.answer ?? '').slice(0, SHOWN)
}
