import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { formatDateMinute } from '../../../ui/format/time.ts'
import type { MenuItem } from '../../../ui/menu.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { KeyLine } from '../keys/key-line.tsx'
import styles from '../keys/key-line.module.css'
import { KeyUsage } from './key-usage.tsx'
import { stateOf, type KeyState } from './key-words.ts'

export type ServiceKeyAct = 'reveal' | 'edit' | 'rotate' | 'revoke'

interface ServiceKeyRowProps {
  serviceKey: ServiceKey
  /** What all listed API keys spent, in pico-USD. */
  total: bigint
  onAct: (act: ServiceKeyAct) => void
}

/** An API key, which works at the service. */
export function ServiceKeyRow({ serviceKey, total, onAct }: ServiceKeyRowProps) {
  const now = useNow(15_000)
  const { name, inUse, expiresAt } = serviceKey
  const state = stateOf(serviceKey, now)
  return (
    <KeyLine
      name={name}
      tags={[...(inUse ? [t`Used by Sotto`] : []), ...(state === 'active' ? [] : [stateNames[state]])]}
      worksAt={t`Service`}
      budget={<KeyUsage serviceKey={serviceKey} total={total} now={now} />}
      limits={
        typeof expiresAt === 'number' ? (
          <p className={styles.first}>
            <End expired={state === 'expired'} at={expiresAt} />
          </p>
        ) : (
          <p>{expiresAt === null ? t`Never expires` : t`Expiration not reported`}</p>
        )
      }
      used={<Dates serviceKey={serviceKey} />}
      actions={state === 'revoked' ? [] : actionsOf(onAct)}
    />
  )
}

const stateNames: Readonly<Record<Exclude<KeyState, 'active'>, string>> = {
  get expired() {
    return t({ message: 'Expired', context: 'key' })
  },
  get revoked() {
    return t`Revoked`
  },
}

function actionsOf(onAct: (act: ServiceKeyAct) => void): MenuItem[] {
  return [
    { name: t`Show`, choose: () => onAct('reveal') },
    { name: t`Edit`, choose: () => onAct('edit') },
    { name: t`Rotate`, choose: () => onAct('rotate') },
    { name: t`Revoke`, choose: () => onAct('revoke'), danger: true },
  ]
}

function End({ expired, at }: { expired: boolean; at: number }) {
  const time = <time dateTime={new Date(at).toISOString()}>{formatDateMinute(at)}</time>
  return expired ? <Trans>expired {time}</Trans> : <Trans>expires {time}</Trans>
}

/** The service doesn't report the last use. */
function Dates({ serviceKey: { createdAt, updatedAt, revokedAt } }: { serviceKey: ServiceKey }) {
  return (
    <>
      <p>{t`Not reported`}</p>
      <p className={styles.meta}>
        {createdAt === undefined ? (
          t`Creation date unknown`
        ) : (
          <Trans>
            Created <Moment at={createdAt} />
          </Trans>
        )}
      </p>
      {updatedAt !== undefined && updatedAt !== createdAt && (
        <p className={styles.meta}>
          <Trans>
            Updated <Moment at={updatedAt} />
          </Trans>
        </p>
      )}
      {typeof revokedAt === 'number' && (
        <p className={styles.meta}>
          <Trans>
            Revoked <Moment at={revokedAt} />
          </Trans>
        </p>
      )}
    </>
  )
}
