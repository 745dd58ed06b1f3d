import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { groupings, type Grouping, type SpendingGroup, type SpendingSummary } from '../../../shared/history.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { exactUsd, formatUsd } from '../../ui/format/money.ts'
import { formatCount } from '../../ui/format/number.ts'
import { Section } from '../../ui/room.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { DayPlot } from './day-plot.tsx'
import { GroupPlot } from './group-plot.tsx'
import { sumUpAgain, useHistory } from './history-store.ts'
import styles from './spending.module.css'

const names: Readonly<Record<Grouping, string>> = { day: 'By day', model: 'By model', source: 'By source', key: 'By key' }

export type Measure = 'cost' | 'tokens'

/** What the chosen queries cost, and for how many tokens; the sums are shown while they grow. */
export function Spending() {
  const { summary, outdated, summing, summaryFailure, failure } = useHistory()
  const [measure, setMeasure] = useState<Measure>('cost')
  return (
    <Section title="Spending">
      {summaryFailure && summaryFailure.code === failure?.code && <p className={styles.quiet}>Not known now.</p>}
      {summaryFailure && summaryFailure.code !== failure?.code && <FailureNote failure={summaryFailure} className={styles.note}><Button onClick={sumUpAgain}>Try again</Button></FailureNote>}
      {!summary && !summaryFailure && <p className={styles.quiet} role="status">Adding up…</p>}
      {summary && <Totals summary={summary} growing={summing && !outdated} outdated={outdated} />}
      {summary && summary.total.requests > 0 && (
        <Tabs.Root data-outdated={outdated} defaultValue="day" className={styles.tabs}>
          <div className={styles.head}>
            <Tabs.List className={styles.names} aria-label="Spending by">
              {groupings.map((grouping) => <Tabs.Trigger key={grouping} value={grouping} className={styles.name}>{names[grouping]}</Tabs.Trigger>)}
            </Tabs.List>
            <SelectField label="Shown" className={styles.measure} value={measure} onChange={(event) => setMeasure(event.target.value === 'tokens' ? 'tokens' : 'cost')}>
              <option value="cost">US dollars</option>
              <option value="tokens">Tokens</option>
            </SelectField>
          </div>
          <Tabs.Content value="day" tabIndex={-1}><DayPlot groups={summary.groups.day} measure={measure} /><PlotTable grouping="day" groups={summary.groups.day} /></Tabs.Content>
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

function Totals({ summary: { total, read, of, unreadable }, growing, outdated }: { summary: SpendingSummary; growing: boolean; outdated: boolean }) {
  return (
    <div className={styles.totals} data-testid="totals" data-outdated={outdated} aria-busy={outdated}>
      <p className={styles.sum}>
        <span className={styles.amount} title={`$${exactUsd(total.cost)}`}>{formatUsd(total.cost)}</span>
        {growing && <span className={styles.sofar}>so far</span>}
        {outdated && <span className={styles.sofar} role="status">adding up…</span>}
      </p>
      <p className={styles.quiet}>
        {total.requests === 1 ? '1 query' : `${formatCount(total.requests)} queries`}, {formatCount(total.inputTokens)} tokens in, {formatCount(total.outputTokens)} out
        {total.unpriced > 0 && `; ${formatCount(total.unpriced)} without a price, not in the sum`}
        {unreadable > 0 && `; ${formatCount(unreadable)} could not be read, not in the sum`}
      </p>
      {growing && (
        <p className={styles.progress}>
          <progress value={read} max={Math.max(of, 1)} aria-label="Queries added up" />
          <span>{formatCount(read)} of {formatCount(of)} added up</span>
        </p>
      )}
    </div>
  )
}

const heads: Readonly<Record<Grouping, string>> = { day: 'Day (UTC)', model: 'Model', source: 'Source', key: 'Key' }

/** What the plot shows, to the last digit. */
function PlotTable({ grouping, groups }: { grouping: Grouping; groups: readonly SpendingGroup[] }) {
  return (
    <details className={styles.details}>
      <summary>As a table</summary>
      <div className={styles.scroll} role="region" aria-label={`Table ${names[grouping].toLowerCase()}`} tabIndex={0}>
        <table className={styles.table}>
          <thead><tr><th scope="col">{heads[grouping]}</th><th scope="col">US dollars</th><th scope="col">Queries</th><th scope="col">Tokens in</th><th scope="col">Tokens out</th></tr></thead>
          <tbody>
            {groups.map((group) => (
              <tr key={`${group.rest === true ? 'rest' : 'group'} ${group.label}`}>
                <th scope="row">{labelOf(grouping, group)}</th>
                <td>{exactUsd(group.cost)}{group.unpriced > 0 && ` (${formatCount(group.unpriced)} not priced)`}</td>
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

/** What a group is called; the service may have said nothing. */
export function labelOf(grouping: Grouping, { label, rest }: Pick<SpendingGroup, 'label' | 'rest'>): string {
  if (rest === true) return 'All others'
  return label === '' ? `No ${grouping} said` : label
}
