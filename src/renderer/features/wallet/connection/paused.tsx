import type { Wallet } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './connection.module.css'
import { resumePaying } from './wallet-store.ts'

const reasonWords: Readonly<Record<NonNullable<Wallet['paused']>['reason'], string>> = {
  undelivered: 'Several payments in a row were made and nothing was delivered for them. Look at them under Buy once before more is paid.',
  wallet: 'The wallet failed several times in a row. See that it is running and online.',
}

/** Why nothing is paid without being asked. */
export function Paused({ paused: { reason, until } }: { paused: NonNullable<Wallet['paused']> }) {
  const resume = useAction(resumePaying)
  return (
    <div className={styles.note} role="note">
      <p><strong>Sotto stopped paying by itself.</strong> {reasonWords[reason]} You can still pay one by one.{until !== undefined && <> It goes on by itself at <Moment at={until} exact />.</>}</p>
      {resume.failure && <FailureNote failure={resume.failure} className={styles.gap} />}
      <div className={styles.actions}><Button onClick={() => void resume.run()} busy={resume.busy && 'Going on…'}>Go on paying by itself</Button></div>
    </div>
  )
}
