import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { formatUsd } from '../../ui/format/money.ts'
import { formatDateTime, formatDuration } from '../../ui/format/time.ts'
import styles from './key-row.module.css'
import { percentOf, periodWords } from './key-words.ts'

/** What it spent: of its cap, and ever. Each bar has its words. */
export function KeyUsage({ serviceKey, total, now }: { serviceKey: ServiceKey; total: bigint; now: number }) {
  return (
    <div className={styles.usage}>
      <InPeriod serviceKey={serviceKey} now={now} />
      <InAll spent={serviceKey.spentInAll} total={total} />
    </div>
  )
}

function InPeriod({ serviceKey: { cap, spentInPeriod, resetPeriod, resetsAt, revokedAt }, now }: { serviceKey: ServiceKey; now: number }) {
  if (cap === undefined) return <p className={styles.words}><Trans>Whether it has a cap is not said.</Trans></p>
  if (cap === null) return typeof revokedAt === 'number' ? <p className={styles.words}><Trans>It had no cap.</Trans></p> : <p className={styles.words}><Trans>No cap: it can spend whatever the account holds.</Trans></p>
  const period = resetPeriod ? periodWords[resetPeriod] : t`in all`
  const part = spentInPeriod === undefined ? undefined : percentOf(spentInPeriod, BigInt(cap))
  return (
    <div className={styles.meter}>
      <p className={styles.words}>
        {spentInPeriod === undefined ? <Trans>A cap of {formatUsd(cap)} {period}; how much of it is used is not said</Trans> : <Trans><strong>{formatUsd(spentInPeriod)}</strong> of {formatUsd(cap)} {period}, {part} %</Trans>}
        {part === 100 && <strong> <Trans>used up</Trans></strong>}
      </p>
      {resetPeriod && <p className={styles.aside}>{typeof resetsAt === 'number' ? <Trans>starts anew in <time dateTime={new Date(resetsAt).toISOString()} title={formatDateTime(resetsAt)}>{formatDuration(resetsAt - now)}</time></Trans> : t`when it starts anew is not said`}</p>}
      {part !== undefined && <Bar percent={part} />}
    </div>
  )
}

function InAll({ spent, total }: { spent: string | undefined; total: bigint }) {
  if (spent === undefined) return <p className={styles.words}><Trans>What it spent in all is not said.</Trans></p>
  const part = total > 0n ? percentOf(spent, total) : 0
  return (
    <div className={styles.meter}>
      <p className={styles.words}><Trans><strong>{formatUsd(spent)}</strong> spent in all</Trans></p>
      {total > 0n && <p className={styles.aside}><Trans>{part} % of what the listed keys spent</Trans></p>}
      {total > 0n && <Bar percent={part} thin />}
    </div>
  )
}

/** For the eye alone: the words beside it say the same. */
function Bar({ percent, thin = false }: { percent: number; thin?: boolean }) {
  return <div className={styles.bar} data-thin={thin || undefined} aria-hidden><span style={{ width: `${percent}%` }} /></div>
}
