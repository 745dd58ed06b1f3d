import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { reachedAlert } from '../../../../shared/budget-use.ts'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { BudgetUsed } from '../../../ui/budget-used.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatSentence } from '../../../ui/format/list.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { formatPercent } from '../../../ui/format/number.ts'
import { formatAge, formatDateMinute, formatDateTime, formatDuration } from '../../../ui/format/time.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useNow } from '../../../ui/use-now.ts'
import lines from '../keys/key-line.module.css'
import { KeyLine } from '../keys/key-line.tsx'
import { useLocalAccess } from '../local-api-store.ts'
import { maskKey } from '../tools/index.ts'
import styles from './key-row.module.css'
import { budgetUseOf, otherLimitWords } from '../../../ui/keys/key-words.ts'

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
        <p>
          {labels.length > 0
            ? formatSentence(labels)
            : t`No other limits. Any model, any number of requests.`}
        </p>
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
  const { increase, renewsAt } = localKey
  const use = budgetUseOf(localKey)
  const alert = use && reachedAlert(use)
  return (
    <>
      <BudgetUsed money={localKey} />
      {use && renewsAt !== undefined && (
        <p className={lines.meta}>
          <Trans>
            Resets in{' '}
            <time dateTime={new Date(renewsAt).toISOString()} title={formatDateTime(renewsAt)}>
              {formatDuration(renewsAt - now)}
            </time>
          </Trans>
        </p>
      )}
      {use && increase && (
        <p className={lines.meta}>
          <Trans>
            Includes {formatUsd(increase.picoUsd)} added until {formatDateMinute(increase.until)}
          </Trans>
        </p>
      )}
      {alert !== undefined && (
        <p className={styles.alert}>
          <Trans>At least {formatPercent(alert / 100)} of the budget is spent</Trans>
        </p>
      )}
    </>
  )
}

function Use({ localKey: { requests, lastUsedAt, createdAt, revokedAt } }: { localKey: LocalKeyView }) {
  const now = useNow(15_000)
  return (
    <>
      {requests === 0 ? (
        <p className={lines.first}>{t`never used`}</p>
      ) : (
        <>
          {lastUsedAt !== undefined && <p className={lines.first}>{formatAge(lastUsedAt, now)}</p>}
          <p className={lines.meta}>{plural(requests, { one: '# request', other: '# requests' })}</p>
        </>
      )}
      <p className={lines.meta}>
        <Trans>
          Created <Moment at={createdAt} />
        </Trans>
      </p>
      {revokedAt !== undefined && (
        <p className={lines.meta}>
          <Trans>
            Revoked <Moment at={revokedAt} />
          </Trans>
        </p>
      )}
    </>
  )
}
