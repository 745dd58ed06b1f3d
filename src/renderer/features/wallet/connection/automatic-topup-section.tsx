import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Section } from '../../../ui/room.tsx'
import { useService, useStatus } from '../../../ui/status-store.ts'
import { AutomaticTopupOn } from './automatic-topup-on.tsx'
import { AutomaticTopupForm } from './automatic-topup-form.tsx'
import styles from './connection.module.css'
import { RemoveReminder } from './remove-reminder.tsx'
import { loadAutomaticTopup, useWallet } from './wallet-store.ts'

/** The service's own connection to a wallet. It is not the one that this installation pays with. */
export function AutomaticTopupSection() {
  const service = useService()
  const account = useStatus((state) => state.status?.account)
  const view = useWallet((state) => state.automaticTopup)
  const failure = useWallet((state) => state.automaticTopupFailure)
  const managed = account?.connected === true && account.creditIdMasked !== undefined
  useEffect(() => {
    if (managed) void loadAutomaticTopup()
  }, [service, managed])
  return (
    <Section title={t`Automatic topup`} says={t`The service itself charges a wallet of yours whenever the account’s balance runs low, also while Sotto is not running.`}>
      <div className={styles.parts}>
        <RemoveReminder what="automatic-topup" />
        {account?.connected === false && <p className={styles.quiet}><Trans>It tops up an account, and none is active.</Trans></p>}
        {account?.connected === true && !managed && <p className={styles.quiet}><Trans>The service takes these settings by the account’s credit id, and only a key is connected. Add the account once more with its credit id to manage them here.</Trans></p>}
        {managed && failure && <FailureNote failure={failure}><Button onClick={() => void loadAutomaticTopup()}><Trans>Try again</Trans></Button></FailureNote>}
        {managed && !view && !failure && <p className={styles.quiet} role="status"><Trans>Asking the service about it…</Trans></p>}
        {managed && view && (view.connected ? <AutomaticTopupOn view={view} /> : <AutomaticTopupForm />)}
      </div>
    </Section>
  )
}
