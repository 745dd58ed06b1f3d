import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { formatRecordedUsd, formatUsd } from '../../../ui/format/money.ts'
import { formatPercent } from '../../../ui/format/number.ts'
import { formatDateTime, formatDuration } from '../../../ui/format/time.ts'
import { BudgetBar } from '../../../ui/budget-used.tsx'
import styles from '../keys/key-line.module.css'
import { percentOf, periodWords } from './key-words.ts'

/** What a key spent of its cap, and in total. `total` is what all listed keys spent, in pico-USD. */
export function KeyUsage({ serviceKey, total, now }: { serviceKey: ServiceKey; total: bigint; now: number }) {
  return (
    <>
      <InPeriod serviceKey={serviceKey} now={now} />
      <InTotal spent={serviceKey.spentInAll} total={total} />
    </>
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
      <p>
        <Trans>Spending cap not reported.</Trans>
      </p>
    )
  if (cap === null)
    return (
      <p>
        {typeof revokedAt === 'number'
          ? t`This key had no cap.`
          : t`No cap. It can spend the account’s entire balance.`}
      </p>
    )
  const period = resetPeriod ? periodWords[resetPeriod] : t`total`
  const part = spentInPeriod === undefined ? undefined : percentOf(spentInPeriod, BigInt(cap))
  const share = formatPercent((part ?? 0) / 100, 1)
  return (
    <>
      <p>
        {spentInPeriod === undefined ? (
          <Trans>
            Cap: {formatUsd(cap)} {period}; usage not reported
          </Trans>
        ) : (
          <Trans>
            <strong>{formatRecordedUsd(spentInPeriod)}</strong> of {formatUsd(cap)} {period}, {share}
          </Trans>
        )}
        {part === 100 && (
          <strong>
            {' '}
            <Trans>used up</Trans>
          </strong>
        )}
      </p>
      {part !== undefined && <BudgetBar spent={part} />}
      {resetPeriod && (
        <p className={styles.meta}>
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
    </>
  )
}

function InTotal({ spent, total }: { spent: string | undefined; total: bigint }) {
  if (spent === undefined)
    return (
      <p className={styles.meta}>
        <Trans>Total spending not reported.</Trans>
      </p>
    )
  const share = formatPercent(total > 0n ? percentOf(spent, total) / 100 : 0, 1)
  return (
    <>
      <p className={styles.meta}>
        <Trans>
          <strong>{formatRecordedUsd(spent)}</strong> spent in total
        </Trans>
      </p>
      {total > 0n && (
        <p className={styles.meta}>
          <Trans>{share} of the listed keys’ spending</Trans>
        </p>
      )}
    </>
  )
}
