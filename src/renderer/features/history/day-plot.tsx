import { plural, t } from '@lingui/core/macro'
import type { SpendingSummary } from '../../../shared/history.ts'
import { formatList } from '../../ui/format/list.ts'
import { formatCount, formatTokens } from '../../ui/format/number.ts'
import { tokenWords } from '../../ui/format/token-words.ts'
import { formatMicroUsd, stackByModel } from '../../ui/stack-by-model.ts'
import { ChartLegend, StackedChart } from '../../ui/stacked-chart.tsx'
import { useNow } from '../../ui/use-now.ts'
import { columnName, columnsOf, type Column } from './days.ts'
import styles from './day-plot.module.css'
import { showHistory, useHistoryFilter } from './history-store.ts'
import type { Measure } from './spending.tsx'

/** One column for each day, or for several days. A press filters by the column's days. */
export function DayPlot({
  summary: { groups, dayModels },
  measure,
}: {
  summary: Pick<SpendingSummary, 'groups' | 'dayModels'>
  measure: Measure
}) {
  const filter = useHistoryFilter()
  const columns = columnsOf(groups.day, filter, useNow(60_000))
  const [first, last] = [columns[0], columns.at(-1)]
  if (!first || !last) return null
  const { models, others, microUsd } = stackByModel(columns, dayModels)
  const series =
    measure === 'cost'
      ? [...models.map((model) => model || t`Unknown model`), ...(others ? [t`Other models`] : [])]
      : [t`Input`, t`Output`]
  const days = columnName({ from: first.from, until: last.until })
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span>
          {first.from === first.until ? t`${days} (UTC)` : t`${days}, several days per column (UTC)`}
        </span>
        <ChartLegend series={series} />
      </figcaption>
      <StackedChart
        label={measure === 'cost' ? t`Spending by day` : t`Tokens by day`}
        series={series}
        columns={columns.map((column, at) => ({
          id: column.from,
          name: columnName(column),
          axis: columnName({ from: column.from, until: column.from }, true),
          values: measure === 'cost' ? (microUsd[at] ?? []) : [column.inputTokens, column.outputTokens],
          note: describeColumn(column, measure),
        }))}
        format={measure === 'cost' ? formatMicroUsd : formatTokens}
        onPress={(at) => {
          const column = columns[at]
          if (column) showHistory({ ...filter, from: column.from, until: column.until })
        }}
      />
    </figure>
  )
}

function describeColumn({ requests, unpriced, inputTokens, outputTokens }: Column, measure: Measure): string {
  if (requests === 0) return t`no requests`
  return formatList([
    plural(requests, { one: '# request', other: '# requests' }),
    unpriced > 0 && t`${formatCount(unpriced)} with unknown cost`,
    measure === 'cost' && tokenWords(inputTokens, outputTokens),
  ])
}
