import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SpendingSummary } from '../../../../shared/history.ts'
import { useAnswer, type Question } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatRecordedUsd } from '../../../ui/format/money.ts'
import { perLocale } from '../../../ui/language/format-locale.ts'
import { addressOf } from '../../../ui/route.ts'
import { formatMicroUsd } from '../../../ui/stack-by-model.ts'
import { ChartLegend, StackedChart } from '../../../ui/stacked-chart.tsx'
import styles from './recent-spending.module.css'
import { firstDay, spendingColumns } from './spending-columns.ts'

/** The last of the sums, which are complete. */
const spendingQuestion = (from: string): Question<SpendingSummary | null> => ({
  key: ['recent-spending', from],
  ask: async ({ signal }) => {
    let last: SpendingSummary | null = null
    for await (const summary of await api.history.summary({ filter: { from } }, { signal })) last = summary
    return last
  },
})

/** What the account spent in the last 30 days, by day and model. */
export function RecentSpending() {
  const [now] = useState(() => Date.now())
  const { data: summary, failure, refresh } = useAnswer(spendingQuestion(firstDay(now)))
  return (
    <section className={styles.spending} aria-label={t`Last 30 days`}>
      <header className={styles.head}>
        <h2>
          <Trans>Last 30 days</Trans>
        </h2>
        {summary && <strong className={styles.total}>{formatRecordedUsd(summary.total.cost)}</strong>}
        <a className={styles.all} href={addressOf({ view: 'wallet', part: 'activity' })}>
          <Trans>View activity</Trans>
        </a>
      </header>
      {summary && (summary.total.cost === '0' ? <Nothing /> : <Chart summary={summary} now={now} />)}
      {summary === null && <Nothing />}
      {summary === undefined && !failure && (
        <p className={styles.blank} role="status">
          <Trans>Calculating…</Trans>
        </p>
      )}
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
    </section>
  )
}

function Nothing() {
  return (
    <p className={styles.quiet}>
      <Trans>Nothing spent yet.</Trans>
    </p>
  )
}

function Chart({ summary, now }: { summary: SpendingSummary; now: number }) {
  const { models, others, days } = spendingColumns(summary, now)
  const series = [...models.map((model) => model || t`Unknown model`), ...(others ? [t`Other models`] : [])]
  return (
    <>
      <ChartLegend series={series} />
      <div className={styles.plot}>
        <StackedChart
          label={t`Spending by day`}
          series={series}
          columns={days.map(({ day, microUsd }) => ({
            id: day,
            name: longDay().format(Date.parse(day)),
            axis: shortDay().format(Date.parse(day)),
            values: microUsd,
          }))}
          format={formatMicroUsd}
        />
      </div>
    </>
  )
}

const shortDay = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
)
const longDay = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }),
)
