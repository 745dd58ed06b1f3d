import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { SpendingGroup } from '../../../shared/history.ts'
import { formatList } from '../../ui/format/list.ts'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatCount, formatTokens } from '../../ui/format/number.ts'
import { tokenWords } from '../../ui/format/token-words.ts'
import { useNow } from '../../ui/use-now.ts'
import { columnName, columnsOf, shareOf, type Column } from './days.ts'
import styles from './day-plot.module.css'
import { showHistory, useHistoryFilter } from './history-store.ts'
import type { Measure } from './spending.tsx'

/**
 * One column for each day, or for several days. Arrow keys move between columns, and a press filters by the column's
 * days.
 */
export function DayPlot({ groups, measure }: { groups: readonly SpendingGroup[]; measure: Measure }) {
  const filter = useHistoryFilter()
  const columns = columnsOf(groups, filter, useNow(60_000))
  const [looked, setLooked] = useState<number>()
  const plot = useRef<HTMLDivElement>(null)
  const at = Math.min(looked ?? columns.length - 1, columns.length - 1)
  const most = columns.reduce(
    (highest, column) => (valueOf(column, measure) > highest ? valueOf(column, measure) : highest),
    0n,
  )
  const column = columns[at]
  const [first, last] = [columns[0], columns.at(-1)]
  if (!column || !first || !last) return null
  const move = (to: number) => {
    const index = Math.min(columns.length - 1, Math.max(0, to))
    setLooked(index)
    plot.current?.querySelectorAll('button')[index]?.focus()
  }
  const pressed = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: columns.length - 1,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(to)
  }
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span data-testid="looked-at">
          {looked === undefined ? <Range first={first} last={last} /> : <strong>{columnName(column)}</strong>}
          {looked !== undefined && <>: {describeColumn(column)}</>}
        </span>
        <span className={styles.most}>
          {most > 0n &&
            (measure === 'cost'
              ? t`max ${formatRecordedUsd(String(most))}`
              : t`max ${formatTokens(Number(most))} tokens`)}
        </span>
      </figcaption>
      <div
        className={styles.plot}
        ref={plot}
        role="group"
        aria-label={measure === 'cost' ? t`Spending by day` : t`Tokens by day`}
        onKeyDown={pressed}
        onMouseLeave={() => setLooked(undefined)}
      >
        {columns.map((each, index) => (
          <button
            key={each.from}
            type="button"
            className={styles.column}
            tabIndex={index === at ? 0 : -1}
            aria-label={`${columnName(each)}: ${describeColumn(each)}`}
            onMouseEnter={() => setLooked(index)}
            onFocus={() => setLooked(index)}
            onBlur={() => setLooked(undefined)}
            onClick={() => showHistory({ ...filter, from: each.from, until: each.until })}
          >
            <Bar column={each} measure={measure} most={most} />
          </button>
        ))}
      </div>
      <div className={styles.axis} aria-hidden>
        <span>{columnName({ from: first.from, until: first.from }, true)}</span>
        {columns.length > 1 && <span>{columnName({ from: last.until, until: last.until }, true)}</span>}
      </div>
      {measure === 'tokens' && (
        <p className={styles.legend} aria-hidden>
          <Trans>
            <span className={styles.in} /> Input <span className={styles.out} /> Output
          </Trans>
        </p>
      )}
    </figure>
  )
}

function Range({ first, last }: { first: Column; last: Column }) {
  const days = columnName({ from: first.from, until: last.until })
  return <>{first.from === first.until ? t`${days} (UTC)` : t`${days}, several days per column (UTC)`}</>
}

function Bar({ column, measure, most }: { column: Column; measure: Measure; most: bigint }) {
  if (measure === 'cost')
    return <span className={styles.bar} style={{ height: `${shareOf(column.cost, most) / 10}%` }} />
  return (
    <>
      <span
        className={styles.out}
        style={{ height: `${shareOf(BigInt(column.outputTokens), most) / 10}%` }}
      />
      <span className={styles.in} style={{ height: `${shareOf(BigInt(column.inputTokens), most) / 10}%` }} />
    </>
  )
}

function valueOf({ cost, inputTokens, outputTokens }: Column, measure: Measure): bigint {
  return measure === 'cost' ? cost : BigInt(inputTokens + outputTokens)
}

function describeColumn({ cost, requests, unpriced, inputTokens, outputTokens }: Column): string {
  if (requests === 0) return t`no requests`
  return formatList([
    plural(requests, {
      one: `${formatRecordedUsd(String(cost))} for # request`,
      other: `${formatRecordedUsd(String(cost))} for # requests`,
    }),
    unpriced > 0 && t`${formatCount(unpriced)} with unknown cost`,
    tokenWords(inputTokens, outputTokens),
  ])
}
