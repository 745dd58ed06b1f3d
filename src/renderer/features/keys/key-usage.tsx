import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { formatRecordedUsd, formatUsd } from '../../ui/format/money.ts'
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

function InPeriod({
  serviceKey: { cap, spentInPeriod, resetPeriod, resetsAt, revokedAt },
  now,
}: {
  serviceKey: ServiceKey
  now: number
}) {
  if (cap === undefined)
    return (
      <p className={styles.words}>
        <Trans>Spending cap not reported.</Trans>
      </p>
    )
  if (cap === null)
    return typeof revokedAt === 'number' ? (
      <p className={styles.words}>
        <Trans>This key had no cap.</Trans>
      </p>
    ) : (
      <p className={styles.words}>
        <Trans>No cap. It can spend the account’s entire balance.</Trans>
      </p>
    )
  const period = resetPeriod ? periodWords[resetPeriod] : t`total`
  const part = spentInPeriod === undefined ? undefined : percentOf(spentInPeriod, BigInt(cap))
  return (
    <div className={styles.meter}>
      <p className={styles.words}>
        {spentInPeriod === undefined ? (
          <Trans>
            Cap: {formatUsd(cap)} {period}; usage not reported
          </Trans>
        ) : (
          <Trans>
            <strong>{formatRecordedUsd(spentInPeriod)}</strong> of {formatUsd(cap)} {period}, {part}%
          </Trans>
        )}
        {part === 100 && (
          <strong>
            {' '}
            <Trans>used up</Trans>
          </strong>
        )}
      </p>
      {resetPeriod && (
        <p className={styles.aside}>
          {typeof resetsAt === 'number' ? (
            <Trans>
              Resets in{' '}
              <time dateTime={new Date(resetsAt).toISOString()} title={formatDateTime(resetsAt)}>
                {formatDuration(resetsAt - now)}
              </time>
            </Trans>
          ) : (
            t`Reset time not reported`
          )}
        </p>
      )}
      {part !== undefined && <Bar percent={part} />}
    </div>
  )
}

function InAll({ spent, total }: { spent: string | undefined; total: bigint }) {
  if (spent === undefined)
    return (
      <p className={styles.words}>
        <Trans>Total spending not reported.</Trans>
      </p>
    )
  const part = total > 0n ? percentOf(spent, total) : 0
  return (
    <div className={styles.meter}>
      <p className={styles.words}>
        <Trans>
          <strong>{formatRecordedUsd(spent)}</strong> spent in total
        </Trans>
      </p>
      {total > 0n && (
        <p className={styles.aside}>
          <Trans>{part}% of the listed keys’ spending</Trans>
        </p>
      )}
      {total > 0n && <Bar percent={part} thin />}
    </div>
  )
}

/** For the eye alone: the words beside it say the same. */
function Bar({ percent, thin = false }: { percent: number; thin?: boolean }) {
  return (
    <div className={styles.bar} data-thin={thin || undefined} aria-hidden>
      <span style={{ width: `${percent}%` }} />
    </div>
  )
}
