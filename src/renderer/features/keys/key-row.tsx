import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { Button } from '../../ui/button.tsx'
import { formatDateMinute } from '../../ui/format/time.ts'
import { Hidden } from '../../ui/hidden.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './key-row.module.css'
import { KeyUsage } from './key-usage.tsx'
import { stateOf } from './key-words.ts'

export type KeyAct = 'reveal' | 'edit' | 'rotate' | 'revoke'

/** `total`: what all listed keys spent, pico-USD. */
export function KeyRow({
  serviceKey,
  total,
  onAct,
}: {
  serviceKey: ServiceKey
  total: bigint
  onAct: (act: KeyAct) => void
}) {
  const now = useNow(15_000)
  const { name, inUse, createdAt, updatedAt, expiresAt, revokedAt } = serviceKey
  const state = stateOf(serviceKey, now)
  const act = (which: KeyAct, word: string) => (
    <Button kind="link" onClick={() => onAct(which)}>
      {word}
      <Hidden> {name}</Hidden>
    </Button>
  )
  return (
    <article className={styles.key} aria-label={name}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        {inUse && (
          <span className={styles.tag}>
            <Trans>Used by Sotto</Trans>
          </span>
        )}
        {state === 'expired' && (
          <span className={styles.tag}>
            <Trans context="key">Expired</Trans>
          </span>
        )}
        {state === 'revoked' && (
          <span className={styles.tag}>
            <Trans>Revoked</Trans>
          </span>
        )}
        {state !== 'revoked' && (
          <span className={styles.buttons}>
            {act('reveal', t`Show`)}
            {act('edit', t`Edit`)}
            {act('rotate', t`Rotate`)}
            {act('revoke', t`Revoke`)}
          </span>
        )}
      </header>
      <KeyUsage serviceKey={serviceKey} total={total} now={now} />
      <p className={styles.dates}>
        {createdAt === undefined ? (
          t`Creation date unknown`
        ) : (
          <Trans>
            Created <Moment at={createdAt} />
          </Trans>
        )}
        {updatedAt !== undefined && updatedAt !== createdAt && (
          <>
            ;{' '}
            <Trans>
              updated <Moment at={updatedAt} />
            </Trans>
          </>
        )}
        {typeof revokedAt === 'number' && (
          <>
            ;{' '}
            <Trans>
              revoked <Moment at={revokedAt} />
            </Trans>
          </>
        )}
        {typeof expiresAt === 'number' && (
          <>
            ; <End expired={state === 'expired'} at={expiresAt} />
          </>
        )}
      </p>
    </article>
  )
}

function End({ expired, at }: { expired: boolean; at: number }) {
  const time = <time dateTime={new Date(at).toISOString()}>{formatDateMinute(at)}</time>
  return expired ? <Trans>expired {time}</Trans> : <Trans>expires {time}</Trans>
}
