import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Grouping, HistoryFilter, SpendingGroup } from '../../../shared/history.ts'
import { Button } from '../../ui/button.tsx'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatCount } from '../../ui/format/number.ts'
import { tokenWords } from '../../ui/format/token-words.ts'
import { shareOf } from './days.ts'
import styles from './group-plot.module.css'
import { showHistory, useHistoryFilter, useHistoryKeys } from './history-store.ts'
import { labelOf, type Measure } from './spending.tsx'

const SHOWN = 10

/** A bar for each group, the longest first. Pressing a bar filters by its group. */
export function GroupPlot({
  grouping,
  groups,
  measure,
}: {
  grouping: Exclude<Grouping, 'day'>
  groups: readonly SpendingGroup[]
  measure: Measure
}) {
  const filter = useHistoryFilter()
  const keys = useHistoryKeys()
  const [all, setAll] = useState(false)
  const ordered = groups.toSorted(
    (a, b) =>
      Number(a.rest === true) - Number(b.rest === true) || compare(valueOf(b, measure), valueOf(a, measure)),
  )
  const most = ordered.reduce(
    (highest, group) => (valueOf(group, measure) > highest ? valueOf(group, measure) : highest),
    0n,
  )
  const shown = all ? ordered : ordered.slice(0, SHOWN)
  const narrow = (group: SpendingGroup): HistoryFilter | undefined => {
    if (group.rest === true || group.label === '') return undefined
    if (grouping !== 'key') return { ...filter, [grouping]: group.label }
    // Revoked keys may share the name. If several keys have it, the bar sets no filter.
    const [key, another] = keys?.filter(({ name }) => name === group.label) ?? []
    return key === undefined || another ? undefined : { ...filter, keyId: key.id }
  }
  return (
    <figure className={styles.figure} aria-label={figureWords[measure][grouping]}>
      <ul>
        {shown.map((group) => {
          const to = narrow(group)
          const label = labelOf(grouping, group)
          const line = <Line label={label} group={group} measure={measure} most={most} />
          return (
            <li key={`${group.rest === true ? 'rest' : 'group'} ${group.label}`}>
              {to ? (
                <button
                  type="button"
                  className={styles.line}
                  title={t`Show only requests for ${label}`}
                  onClick={() => showHistory(to)}
                >
                  {line}
                </button>
              ) : (
                <div className={styles.line}>{line}</div>
              )}
            </li>
          )
        })}
      </ul>
      {ordered.length > SHOWN && (
        <p className={styles.more}>
          <Button kind="link" onClick={() => setAll(!all)}>
            {all ? t`Show first 10` : t`Show all ${formatCount(ordered.length)}`}
          </Button>
        </p>
      )}
    </figure>
  )
}

const figureWords = {
  cost: {
    get model() {
      return t`Spending by model`
    },
    get source() {
      return t`Spending by source`
    },
    get key() {
      return t`Spending by key`
    },
    get day() {
      return t`Spending by day`
    },
  },
  tokens: {
    get model() {
      return t`Tokens by model`
    },
    get source() {
      return t`Tokens by source`
    },
    get key() {
      return t`Tokens by key`
    },
    get day() {
      return t`Tokens by day`
    },
  },
} as const

function Line({
  label,
  group,
  measure,
  most,
}: {
  label: string
  group: SpendingGroup
  measure: Measure
  most: bigint
}) {
  return (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>
        <span className={styles.count}>
          {plural(group.requests, { one: '# request', other: '# requests' })}
        </span>
        <span>
          {measure === 'cost'
            ? formatRecordedUsd(group.cost)
            : tokenWords(group.inputTokens, group.outputTokens)}
        </span>
      </span>
      <span className={styles.track} aria-hidden>
        {measure === 'cost' ? (
          <span className={styles.bar} style={{ width: `${shareOf(BigInt(group.cost), most) / 10}%` }} />
        ) : (
          <>
            <span
              className={styles.bar}
              style={{ width: `${shareOf(BigInt(group.inputTokens), most) / 10}%` }}
            />
            <span
              className={styles.out}
              style={{ width: `${shareOf(BigInt(group.outputTokens), most) / 10}%` }}
            />
          </>
        )}
      </span>
    </>
  )
}

function valueOf({ cost, inputTokens, outputTokens }: SpendingGroup, measure: Measure): bigint {
  return measure === 'cost' ? BigInt(cost) : BigInt(inputTokens + outputTokens)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
