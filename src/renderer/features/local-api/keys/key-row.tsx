import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { reachedAlert, remainingBudget } from '../../../../shared/budget-use.ts'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { formatList } from '../../../ui/format/list.ts'
import { formatRecordedUsd, formatUsd } from '../../../ui/format/money.ts'
import { formatAge, formatDateMinute, formatDateTime, formatDuration } from '../../../ui/format/time.ts'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { useLocalAccess } from '../local-api-store.ts'
import { maskKey } from '../tools/index.ts'
import styles from './key-row.module.css'
import { budgetUseOf, budgetWords, meterOf, otherLimitWords } from './key-words.ts'

export type KeyAct = 'edit' | 'increase' | 'revoke' | 'rotate'

export function KeyRow({ localKey, onAct }: { localKey: LocalKeyView; onAct: (act: KeyAct) => void }) {
  const models = useLocalAccess().data?.models
  const { name, first, state, limits } = localKey
  const words = otherLimitWords(limits, models)
  return (
    <article className={styles.key} aria-label={name}>
      <header className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        {state !== 'live' && (
          <span className={styles.state}>
            {state === 'expired' ? t({ message: 'Expired', context: 'key' }) : t`Revoked`}
          </span>
        )}
        <span className={styles.buttons}>
          {state !== 'revoked' && (
            <Button kind="link" onClick={() => onAct('edit')}>
              <Trans>
                Edit<Hidden> {name}</Hidden>
              </Trans>
            </Button>
          )}
          {state !== 'revoked' && limits.budget && (
            <Button kind="link" onClick={() => onAct('increase')}>
              <Trans>
                Increase budget<Hidden> of {name}</Hidden>
              </Trans>
            </Button>
          )}
          {state !== 'revoked' &&
            (first ? (
              <Button kind="link" onClick={() => onAct('rotate')}>
                <Trans>
                  Rotate<Hidden> {name}</Hidden>
                </Trans>
              </Button>
            ) : (
              <Button kind="link" onClick={() => onAct('revoke')}>
                <Trans>
                  Revoke<Hidden> {name}</Hidden>
                </Trans>
              </Button>
            ))}
        </span>
      </header>
      {first && <FirstSecret />}
      <Spending localKey={localKey} />
      <p className={styles.limits}>
        {words.length > 0 ? sentence(words) : t`No other limits. Any model, any number of requests.`}
      </p>
      <Use localKey={localKey} />
    </article>
  )
}

/** The one secret that can be shown again: it is in the vault. */
function FirstSecret() {
  const key = useLocalAccess().data?.access.key
  const [shown, setShown] = useState(false)
  if (key === undefined) return null
  return (
    <p className={styles.secret}>
      <code data-testid="local-key">{shown ? key : maskKey(key)}</code>
      <span className={styles.buttons}>
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
      </span>
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
      <p className={styles.money}>
        <Trans>{formatRecordedUsd(spent)} spent in total, no budget</Trans>
        <Held held={held} />
      </p>
    )
  const meter = meterOf(use)
  const alert = reachedAlert(use)
  return (
    <div className={styles.spending}>
      <p className={styles.money}>
        <Trans>
          <strong>{formatRecordedUsd(spent)}</strong> of {budgetWords(budget)}
        </Trans>
        <Held held={held} />
        {remainingBudget(use) === 0n && (
          <span className={styles.full}>
            {' '}
            <Trans>used up</Trans>
          </span>
        )}
      </p>
      <div className={styles.bar} aria-hidden>
        <span className={styles.spent} style={{ width: `${meter.spent * 100}%` }} />
        <span className={styles.held} style={{ width: `${meter.held * 100}%` }} />
      </div>
      {renewsAt !== undefined && (
        <p className={styles.renews}>
          <Trans>
            Resets in{' '}
            <time dateTime={new Date(renewsAt).toISOString()} title={formatDateTime(renewsAt)}>
              {formatDuration(renewsAt - now)}
            </time>
          </Trans>
        </p>
      )}
      {increase && (
        <p className={styles.note}>
          <Trans>
            {formatUsd(increase.picoUsd)} added until {formatDateMinute(increase.until)}
          </Trans>
        </p>
      )}
      {alert !== undefined && (
        <p className={classNames(styles.note, styles.full)}>
          <Trans>{alert}% of the budget is spent</Trans>
        </p>
      )}
    </div>
  )
}

function Held({ held }: { held: string }) {
  return held === '0' ? null : (
    <span title={t`Reserved for requests in progress, at their maximum cost`}>
      <>
        , <Trans>{formatUsd(held)} reserved</Trans>
      </>
    </span>
  )
}

function Use({ localKey: { requests, lastUsedAt, createdAt, revokedAt } }: { localKey: LocalKeyView }) {
  const now = useNow(15_000)
  const used =
    requests === 0
      ? t`never used`
      : lastUsedAt === undefined
        ? plural(requests, { one: '# request', other: '# requests' })
        : plural(requests, {
            one: `# request, last used ${formatAge(lastUsedAt, now)}`,
            other: `# requests, last used ${formatAge(lastUsedAt, now)}`,
          })
  return (
    <p className={styles.use}>
      <Trans>
        Created <Moment at={createdAt} />
      </Trans>
      ; {used}
      {revokedAt !== undefined && (
        <>
          ;{' '}
          <Trans>
            revoked <Moment at={revokedAt} />
          </Trans>
        </>
      )}
    </p>
  )
}

function sentence(words: readonly string[]): string {
  const text = formatList(words)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
