import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { decimalUsd } from '../../../shared/money.ts'
import {
  groupings,
  type Grouping,
  type SpendingGroup,
  type SpendingSummary,
} from '../../../shared/history.ts'
import { classNames } from '../../ui/class-names.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatExactUsd, formatRecordedUsd } from '../../ui/format/money.ts'
import { formatCount, formatDecimal } from '../../ui/format/number.ts'
import { tokenWords } from '../../ui/format/token-words.ts'
import { Section } from '../../ui/view.tsx'
import { SelectField } from '../../ui/select.tsx'
import tabs from '../../ui/tabs.module.css'
import { DayPlot } from './day-plot.tsx'
import { GroupPlot } from './group-plot.tsx'
import { useHistoryList, useSpending } from './history-store.ts'
import { sourceName } from './record-words.ts'
import styles from './spending.module.css'

const names: Readonly<Record<Grouping, string>> = {
  get day() {
    return t`By day`
  },
  get model() {
    return t`By model`
  },
  get source() {
    return t`By source`
  },
  get key() {
    return t`By key`
  },
}

export type Measure = 'cost' | 'tokens'

/** Cost and tokens of the filtered queries. The sums are shown while they grow. */
export function Spending() {
  const { failure } = useHistoryList()
  const { summary, outdated, summing, failure: summaryFailure, again } = useSpending()
  const [measure, setMeasure] = useState<Measure>('cost')
  return (
    <Section title={t`Spending`}>
      {summaryFailure && summaryFailure.code === failure?.code && (
        <p className={styles.quiet}>
          <Trans>Unavailable right now.</Trans>
        </p>
      )}
      {summaryFailure && summaryFailure.code !== failure?.code && (
        <FailureNote failure={summaryFailure} className={styles.note} onRetry={again} />
      )}
      {!summary && !summaryFailure && (
        <p className={styles.quiet} role="status">
          <Trans>Calculating…</Trans>
        </p>
      )}
      {summary && <Totals summary={summary} growing={summing && !outdated} outdated={outdated} />}
      {summary && summary.total.requests > 0 && (
        <Tabs.Root data-outdated={outdated} defaultValue="day" className={styles.tabs}>
          <div className={tabs.head}>
            <Tabs.List className={tabs.names} aria-label={t`Spending by`}>
              {groupings.map((grouping) => (
                <Tabs.Trigger key={grouping} value={grouping} className={classNames(tabs.tab, tabs.name)}>
                  {names[grouping]}
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <SelectField
              label={t`Show`}
              className={styles.measure}
              value={measure}
              onChange={(event) => setMeasure(event.target.value === 'tokens' ? 'tokens' : 'cost')}
            >
              <option value="cost">{t`US dollars`}</option>
              <option value="tokens">{t`Tokens`}</option>
            </SelectField>
          </div>
          <Tabs.Content value="day" tabIndex={-1}>
            <DayPlot summary={summary} measure={measure} />
            <PlotTable grouping="day" groups={summary.groups.day} />
          </Tabs.Content>
          {(['model', 'source', 'key'] as const).map((grouping) => (
            <Tabs.Content key={grouping} value={grouping} tabIndex={-1}>
              <GroupPlot grouping={grouping} groups={summary.groups[grouping]} measure={measure} />
              <PlotTable grouping={grouping} groups={summary.groups[grouping]} />
            </Tabs.Content>
          ))}
        </Tabs.Root>
      )}
    </Section>
  )
}

function Totals({
  summary: { total, read, of, unreadable },
  growing,
  outdated,
}: {
  summary: SpendingSummary
  growing: boolean
  outdated: boolean
}) {
  return (
    <div className={styles.totals} data-testid="totals" data-outdated={outdated} aria-busy={outdated}>
      <p className={styles.sum}>
        <span className={styles.amount} title={formatExactUsd(total.cost)}>
          {formatRecordedUsd(total.cost)}
        </span>
        {growing && (
          <span className={styles.sofar}>
            <Trans>so far</Trans>
          </span>
        )}
        {outdated && (
          <span className={styles.sofar} role="status">
            <Trans>calculating…</Trans>
          </span>
        )}
      </p>
      <p className={styles.quiet}>
        {plural(total.requests, { one: '# request', other: '# requests' })},{' '}
        {tokenWords(total.inputTokens, total.outputTokens)}
        {total.unpriced > 0 && (
          <>
            ; <Trans>{formatCount(total.unpriced)} with unknown cost, not included in the total</Trans>
          </>
        )}
        {unreadable > 0 && (
          <>
            ; <Trans>{formatCount(unreadable)} couldn’t be read, not included in the total</Trans>
          </>
        )}
      </p>
      {growing && (
        <p className={styles.progress}>
          <progress value={read} max={Math.max(of, 1)} aria-label={t`Requests counted`} />
          <span>
            <Trans>
              {formatCount(read)} of {formatCount(of)} counted
            </Trans>
          </span>
        </p>
      )}
    </div>
  )
}

const heads: Readonly<Record<Grouping, string>> = {
  get day() {
    return t`Day (UTC)`
  },
  get model() {
    return t`Model`
  },
  get source() {
    return t`Source`
  },
  get key() {
    return t`Key`
  },
}

/** The data of the chart, with all digits. */
function PlotTable({ grouping, groups }: { grouping: Grouping; groups: readonly SpendingGroup[] }) {
  return (
    <details className={styles.details}>
      <summary>
        <Trans>View as table</Trans>
      </summary>
      <div className={styles.scroll} role="region" aria-label={tables[grouping]} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{heads[grouping]}</th>
              <th scope="col">
                <Trans>US dollars</Trans>
              </th>
              <th scope="col">
                <Trans>Requests</Trans>
              </th>
              <th scope="col">
                <Trans>Input tokens</Trans>
              </th>
              <th scope="col">
                <Trans>Output tokens</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={`${group.rest === true ? 'rest' : 'group'} ${group.label}`}>
                <th scope="row">{labelOf(grouping, group)}</th>
                <td>
                  {formatDecimal(decimalUsd(BigInt(group.cost)))}
                  {group.unpriced > 0 && (
                    <>
                      {' '}
                      <Trans>({formatCount(group.unpriced)} with unknown cost)</Trans>
                    </>
                  )}
                </td>
                <td>{formatCount(group.requests)}</td>
                <td>{formatCount(group.inputTokens)}</td>
                <td>{formatCount(group.outputTokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const unknownLabels: Readonly<Record<Grouping, string>> = {
  get day() {
    return t`Unknown day`
  },
  get model() {
    return t`Unknown model`
  },
  get source() {
    return t`Unknown source`
  },
  get key() {
    return t`Unknown key`
  },
}

const tables: Readonly<Record<Grouping, string>> = {
  get day() {
    return t`Spending table by day`
  },
  get model() {
    return t`Spending table by model`
  },
  get source() {
    return t`Spending table by source`
  },
  get key() {
    return t`Spending table by key`
  },
}

/** The name of a group. The service may not have reported it. */
export function labelOf(grouping: Grouping, { label, rest }: Pick<SpendingGroup, 'label' | 'rest'>): string {
  if (rest === true) return t`All others`
  if (label === '') return unknownLabels[grouping]
  return grouping === 'source' ? sourceName(label) : label
}
