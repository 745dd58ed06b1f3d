import { CircleCheckBig, TriangleAlert } from 'lucide-react'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './account-row.module.css'
import { activateAccount } from './account-store.ts'

export type AccountAct = 'rename' | 'reveal' | 'forget'

export function AccountRow({ account, onAct }: { account: ServiceAccount; onAct: (act: AccountAct) => void }) {
  const { name, active, keyMasked, creditIdMasked, addedAt, saved } = account
  const pretended = useStatus((state) => state.status?.service.kind === 'sandbox')
  const activate = useAction(() => activateAccount(account.id))
  return (
    <article className={styles.account} aria-label={name}>
      <header className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        {active && <span className={styles.active}><CircleCheckBig size={14} strokeWidth={1.9} aria-hidden />Active</span>}
        <span className={styles.buttons}>
          {!active && <Button kind="plain" onClick={() => void activate.run()} busy={activate.busy && 'Changing…'}>Use<Hidden> {name}</Hidden></Button>}
          <Button kind="plain" onClick={() => onAct('reveal')}>Show credentials<Hidden> of {name}</Hidden></Button>
          <Button kind="plain" onClick={() => onAct('rename')}>Rename<Hidden> {name}</Hidden></Button>
          <Button kind="plain" onClick={() => onAct('forget')}>Forget<Hidden> {name}</Hidden></Button>
        </span>
      </header>
      <p className={styles.parts}>
        <span>API key <code>{keyMasked}</code></span>
        {creditIdMasked === undefined
          ? <span>Connected by its key alone: its keys and its automatic topup cannot be managed here</span>
          : <span>Credit id <code>{creditIdMasked}</code></span>}
      </p>
      {saved || pretended
        ? <p className={styles.quiet}>Added <Moment at={addedAt} />{saved && '; its credentials are kept elsewhere too, as you said or by a backup'}</p>
        : <p className={styles.unsaved}><TriangleAlert size={14} strokeWidth={1.9} aria-hidden /><span><strong>Only kept here.</strong> Added <Moment at={addedAt} />. Save a backup, or write its credentials down.</span></p>}
      {activate.failure && <FailureNote failure={activate.failure} />}
    </article>
  )
}
