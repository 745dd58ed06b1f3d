import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useAnswer } from '../../../data/use-answer.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Section } from '../../../ui/view.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { AutomaticTopupOn } from './automatic-topup-on.tsx'
import { AutomaticTopupForm } from './automatic-topup-form.tsx'
import styles from './connection.module.css'
import { RemoveReminder } from './remove-reminder.tsx'
import { automaticTopupQuestion } from './wallet-store.ts'

/** The service's own connection to a wallet. It is not the one that this installation pays with. */
export function AutomaticTopupSection() {
  const account = useStatus((state) => state.status?.account)
  const managed = account?.connected === true && account.creditIdMasked !== undefined
  const { data: view, failure, refresh } = useAnswer(managed ? automaticTopupQuestion : undefined)
  return (
    <Section
      title={t`Automatic top-up`}
      description={t`The service charges your wallet when the account’s balance runs low, even when Sotto isn’t running.`}
    >
      <div className={styles.parts}>
        <RemoveReminder what="automatic-topup" />
        {account?.connected === false && (
          <p className={styles.quiet}>
            <Trans>Automatic top-up needs an active account.</Trans>
          </p>
        )}
        {account?.connected === true && !managed && (
          <p className={styles.quiet}>
            <Trans>
              These settings require the account’s credit ID, but only an API key is connected. Add the
              account again with its credit ID to manage them here.
            </Trans>
          </p>
        )}
        {managed && failure && <FailureNote failure={failure} onRetry={refresh} />}
        {managed && !view && !failure && <Skeleton label={t`Loading automatic top-up…`} />}
        {managed && view && (view.connected ? <AutomaticTopupOn view={view} /> : <AutomaticTopupForm />)}
      </div>
    </Section>
  )
}
