import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Wallet } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './connection.module.css'
import { resumePaying } from './wallet-store.ts'

const reasonWords: Readonly<Record<NonNullable<Wallet['paused']>['reason'], string>> = {
  get undelivered() {
    return t`Several payments in a row went through, but nothing was delivered. Check them under Pay per request before you pay more.`
  },
  get wallet() {
    return t`The wallet failed several times in a row. Check that it’s running and online.`
  },
}

/** Why nothing is paid without being asked. */
export function Paused({ paused: { reason, until } }: { paused: NonNullable<Wallet['paused']> }) {
  const resume = useAction(resumePaying)
  return (
    <div className={styles.note} role="note">
      <p>
        <strong>
          <Trans>Automatic payments are paused.</Trans>
        </strong>{' '}
        {reasonWords[reason]} <Trans>You can still approve each payment yourself.</Trans>
        {until !== undefined && (
          <>
            {' '}
            <Trans>
              Automatic payments resume at <Moment at={until} exact />.
            </Trans>
          </>
        )}
      </p>
      {resume.failure && <FailureNote failure={resume.failure} className={styles.gap} />}
      <div className={styles.actions}>
        <Button onClick={() => void resume.run()} busy={resume.busy && t`Resuming…`}>
          <Trans>Resume automatic payments</Trans>
        </Button>
      </div>
    </div>
  )
}
