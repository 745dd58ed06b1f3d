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
export function KeyRow({ serviceKey, total, onAct }: { serviceKey: ServiceKey; total: bigint; onAct: (act: KeyAct) => void }) {
  const now = useNow(15_000)
  const { name, inUse, createdAt, updatedAt, expiresAt, revokedAt } = serviceKey
  const state = stateOf(serviceKey, now)
  const act = (which: KeyAct, word: string) => <Button kind="plain" onClick={() => onAct(which)}>{word}<Hidden> {name}</Hidden></Button>
  return (
    <article className={styles.key} aria-label={name}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        {inUse && <span className={styles.tag}>In use here</span>}
        {state === 'expired' && <span className={styles.tag}>Past its end</span>}
        {state === 'revoked' && <span className={styles.tag}>Revoked</span>}
        {state !== 'revoked' && <span className={styles.buttons}>{act('reveal', 'Show')}{act('edit', 'Edit')}{act('rotate', 'Rotate')}{act('revoke', 'Revoke')}</span>}
      </header>
      <KeyUsage serviceKey={serviceKey} total={total} now={now} />
      <p className={styles.dates}>
        {createdAt === undefined ? 'When it was made is not said' : <>Made <Moment at={createdAt} /></>}
        {updatedAt !== undefined && updatedAt !== createdAt && <>; changed <Moment at={updatedAt} /></>}
        {typeof revokedAt === 'number' && <>; revoked <Moment at={revokedAt} /></>}
        {typeof expiresAt === 'number' && <>; {state === 'expired' ? 'ended' : 'until'} <time dateTime={new Date(expiresAt).toISOString()}>{formatDateMinute(expiresAt)}</time></>}
      </p>
    </article>
  )
}
