import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { reachedAlert, remainingBudget } from '../../../../shared/budget-use.ts'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatList } from '../../../ui/format/list.ts'
import { formatRecordedUsd, formatUsd } from '../../../ui/format/money.ts'
import { formatAge, formatDateMinute, formatDateTime, formatDuration } from '../../../ui/format/time.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { BudgetBar, KeyLine } from '../keys/key-line.tsx'
import { useLocalAccess } from '../local-api-store.ts'
import { maskKey } from '../tools/index.ts'
import styles from './key-row.module.css'
import { budgetUseOf, budgetWords, meterOf, otherLimitWords } from './key-words.ts'

export type LocalKeyAct = 'edit' | 'increase' | 'revoke' | 'rotate'

/** A local key, which works at this computer. */
export function LocalKeyRow({
  localKey,
  onAct,
}: {
  localKey: LocalKeyView
  onAct: (act: LocalKeyAct) => void
}) {
  const models = useLocalAccess().data?.models
  const { name, first, state, limits } = localKey
  const labels = otherLimitWords(limits, models)
  return (
    <KeyLine
      name={name}
      tags={
        state === 'live' ? [] : [state === 'expired' ? t({ message: 'Expired', context: 'key' }) : t`Revoked`]
      }
      secret={first && <FirstSecret />}
      worksAt={t`This computer`}
      budget={<Spending localKey={localKey} />}
      limits={
        <p>{labels.length > 0 ? sentence(labels) : t`No other limits. Any model, any number of requests.`}</p>
      }
      used={<Use localKey={localKey} />}
      actions={state === 'revoked' ? [] : actionsOf(localKey, onAct)}
    />
  )
}

function actionsOf({ first, limits }: LocalKeyView, onAct: (act: LocalKeyAct) => void): MenuItem[] {
  return [
    { name: t`Edit`, choose: () => onAct('edit') },
    ...(limits.budget ? [{ name: t`Increase budget`, choose: () => onAct('increase') }] : []),
    first
      ? { name: t`Rotate`, choose: () => onAct('rotate') }
      : { name: t`Revoke`, choose: () => onAct('revoke'), danger: true },
  ]
}

/** The one secret that can be shown again: it is in the vault. */
function FirstSecret() {
  const key = useLocalAccess().data?.access.key
  const [shown, setShown] = useState(false)
  if (key === undefined) return null
  return (
    <p className={styles.secret}>
      <code data-testid="local-key">{shown ? key : maskKey(key)}</code>
      <Button kind="link" onClick={() => setShown(!shown)}>
        {shown ? (
          <Trans>
            Hide<Hidden> the key</Hidden>
          </Trans>
        ) : (
          <Trans>
            Show<Hidden> the key</Hidden>
          </Trans>
        )}
      </Button>
      <CopyButton label={t`Copy key`} text={() => key} />
    </p>
  )
}

function Spending({ localKey }: { localKey: LocalKeyView }) {
  const now = useNow(15_000)
  const {
    limits: { budget },
    increase,
    spent,
    held,
    renewsAt,
  } = localKey
  const use = budgetUseOf(localKey)
  if (!budget || !use)
    return (
      <p>
        <Trans>{formatRecordedUsd(spent)} spent in total, no budget</Trans>
        <Reserved reserved={held} />
      </p>
    )
  const meter = meterOf(use)
  const alert = reachedAlert(use)
  return (
    <>
      <p>
        <Trans>
          <strong>{formatRecordedUsd(spent)}</strong> of {budgetWords(budget)}
        </Trans>
        <Reserved reserved={held} />
        {remainingBudget(use) === 0n && (
          <strong>
            {' '}
            <Trans>used up</Trans>
          </strong>
        )}
      </p>
      <BudgetBar spent={meter.spent * 100} reserved={meter.reserved * 100} />
      {renewsAt !== undefined && (
        <p className={styles.meta}>
          <Trans>
            Resets in{' '}
            <time dateTime={new Date(renewsAt).toISOString()} title={formatDateTime(renewsAt)}>
              {formatDuration(renewsAt - now)}
            </time>
          </Trans>
        </p>
      )}
      {increase && (
        <p className={styles.meta}>
          <Trans>
            {formatUsd(increase.picoUsd)} added until {formatDateMinute(increase.until)}
          </Trans>
        </p>
      )}
      {alert !== undefined && (
        <p className={styles.alert}>
          <Trans>{alert}% of the budget is spent</Trans>
        </p>
      )}
    </>
  )
}

function Reserved({ reserved }: { reserved: string }) {
  return reserved === '0' ? null : (
    <span title={t`Reserved for requests in progress, at their maximum cost`}>
      <>
        , <Trans>{formatUsd(reserved)} reserved</Trans>
      </>
    </span>
  )
}

function Use({ localKey: { requests, lastUsedAt, createdAt, revokedAt } }: { localKey: LocalKeyView }) {
  const now = useNow(15_000)
  return (
    <>
      {requests === 0 ? (
        <p className={styles.first}>{t`never used`}</p>
      ) : (
        <>
          {lastUsedAt !== undefined && <p className={styles.first}>{formatAge(lastUsedAt, now)}</p>}
          <p className={styles.meta}>{plural(requests, { one: '# request', other: '# requests' })}</p>
        </>
      )}
      <p className={styles.meta}>
        <Trans>
          Created <Moment at={createdAt} />
        </Trans>
      </p>
      {revokedAt !== undefined && (
        <p className={styles.meta}>
          <Trans>
            Revoked <Moment at={revokedAt} />
          </Trans>
        </p>
      )}
    </>
  )
}

function sentence(clauses: readonly string[]): string {
  const text = formatList(clauses)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
