import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Tabs } from 'radix-ui'
import { useState } from 'react'
import { groupings, type Grouping, type SpendingGroup, type SpendingSummary } from '../../../shared/history.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { exactUsd, formatExactUsd, formatUsd } from '../../ui/format/money.ts'
import { formatCount, formatDecimal } from '../../ui/format/number.ts'
import { tokenWords } from '../../ui/format/token-words.ts'
import { Section } from '../../ui/room.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { DayPlot } from './day-plot.tsx'
import { GroupPlot } from './group-plot.tsx'
import { sumUpAgain, useHistory } from './history-store.ts'
import styles from './spending.module.css'

const names: Readonly<Record<Grouping, string>> = { get day() { return t`By day` }, get model() { return t`By model` }, get source() { return t`By source` }, get key() { return t`By key` } }

export type Measure = 'cost' | 'tokens'

/** What the chosen queries cost, and for how many tokens; the sums are shown while they grow. */
export function Spending() {
  const { summary, outdated, summing, summaryFailure, failure } = useHistory()
  const [measure, setMeasure] = useState<Measure>('cost')
  return (
    <Section title={t`Spending`}>
      {summaryFailure && summaryFailure.code === failure?.code && <p className={styles.quiet}><Trans>Not known now.</Trans></p>}
      {summaryFailure && summaryFailure.code !== failure?.code && <FailureNote failure={summaryFailure} className={styles.note}><Button onClick={sumUpAgain}><Trans>Try again</Trans></Button></FailureNote>}
      {!summary && !summaryFailure && <p className={styles.quiet} role="status"><Trans>Adding up…</Trans></p>}
      {summary && <Totals summary={summary} growing={summing && !outdated} outdated={outdated} />}
      {summary && summary.total.requests > 0 && (
        <Tabs.Root data-outdated={outdated} defaultValue="day" className={styles.tabs}>
          <div className={styles.head}>
            <Tabs.List className={styles.names} aria-label={t`Spending by`}>
              {groupings.map((grouping) => <Tabs.Trigger key={grouping} value={grouping} className={styles.name}>{names[grouping]}</Tabs.Trigger>)}
            </Tabs.List>
            <SelectField label={t`Shown`} className={styles.measure} value={measure} onChange={(event) => setMeasure(event.target.value === 'tokens' ? 'tokens' : 'cost')}>
              <option value="cost">{t`US dollars`}</option>
              <option value="tokens">{t`Tokens`}</option>
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
        <span className={styles.amount} title={formatExactUsd(total.cost)}>{formatUsd(total.cost)}</span>
        {growing && <span className={styles.sofar}><Trans>so far</Trans></span>}
        {outdated && <span className={styles.sofar} role="status"><Trans>adding up…</Trans></span>}
      </p>
      <p className={styles.quiet}>
        {plural(total.requests, { one: '1 query', other: '# queries' })}, {tokenWords(total.inputTokens, total.outputTokens)}
        {total.unpriced > 0 && <>; <Trans>{formatCount(total.unpriced)} without a price, not in the sum</Trans></>}
        {unreadable > 0 && <>; <Trans>{formatCount(unreadable)} could not be read, not in the sum</Trans></>}
      </p>
      {growing && (
        <p className={styles.progress}>
          <progress value={read} max={Math.max(of, 1)} aria-label={t`Queries added up`} />
          <span><Trans>{formatCount(read)} of {formatCount(of)} added up</Trans></span>
        </p>
      )}
    </div>
  )
}

const heads: Readonly<Record<Grouping, string>> = { get day() { return t`Day (UTC)` }, get model() { return t`Model` }, get source() { return t`Source` }, get key() { return t`Key` } }

/** What the plot shows, to the last digit. */
function PlotTable({ grouping, groups }: { grouping: Grouping; groups: readonly SpendingGroup[] }) {
  return (
    <details className={styles.details}>
      <summary><Trans>As a table</Trans></summary>
      <div className={styles.scroll} role="region" aria-label={tables[grouping]} tabIndex={0}>
        <table className={styles.table}>
          <thead><tr><th scope="col">{heads[grouping]}</th><th scope="col"><Trans>US dollars</Trans></th><th scope="col"><Trans>Queries</Trans></th><th scope="col"><Trans>Tokens in</Trans></th><th scope="col"><Trans>Tokens out</Trans></th></tr></thead>
          <tbody>
            {groups.map((group) => (
              <tr key={`${group.rest === true ? 'rest' : 'group'} ${group.label}`}>
                <th scope="row">{labelOf(grouping, group)}</th>
                <td>{formatDecimal(exactUsd(group.cost))}{group.unpriced > 0 && <> <Trans>({formatCount(group.unpriced)} not priced)</Trans></>}</td>
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

const unsaid: Readonly<Record<Grouping, string>> = { get day() { return t`No day said` }, get model() { return t`No model said` }, get source() { return t`No source said` }, get key() { return t`No key said` } }

const tables: Readonly<Record<Grouping, string>> = { get day() { return t`Table by day` }, get model() { return t`Table by model` }, get source() { return t`Table by source` }, get key() { return t`Table by key` } }

/** What a group is called; the service may have said nothing. */
export function labelOf(grouping: Grouping, { label, rest }: Pick<SpendingGroup, 'label' | 'rest'>): string {
  if (rest === true) return t`All others`
  return label === '' ? unsaid[grouping] : label
}
