import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../button.tsx'
import { FailureNote } from '../failure-note.tsx'
import type { HeldSecret } from '../held-secret.ts'
import { SecretClipboardNote, SecretValue } from '../secret-value.tsx'
import { useAction } from '../use-action.ts'
import { BackupForm } from './backup-form.tsx'
import styles from './new-credentials.module.css'

interface NewCredentialsProps {
  accountId: string
  /** Let go once it was left. */
  credentials: HeldSecret<{ readonly apiKey: string; readonly creditId?: string }>
  /** Somebody is about to leave without having said that they are saved. */
  leaving: boolean
  /** `saved`: it was said, and is noted. */
  done: (saved: boolean) => Promise<void> | void
}

/** The credentials of a new account, the one time that they are shown unasked, with both ways to keep them elsewhere. */
export function NewCredentials({ accountId, credentials, leaving, done }: NewCredentialsProps) {
  const [backingUp, setBackingUp] = useState(false)
  const [fileName, setFileName] = useState<string>()
  const leave = async (said: boolean) => {
    await done(said)
    credentials.letGo()
  }
  const saved = useAction(async () => {
    await api.accounts.markSaved({ accountId })
    await leave(true)
  })
  const { apiKey, creditId } = credentials.value ?? {}
  return (
    <>
      {apiKey !== undefined && <SecretValue name={t`API key`} secret={apiKey} />}
      {creditId !== undefined && <SecretValue name={t`Credit id`} secret={creditId} />}
      <SecretClipboardNote />
      <div className={styles.backup}>
        <p><Trans>Or save them in an encrypted file, with the other accounts that are kept here.</Trans></p>
        {fileName !== undefined && <p role="status"><Trans><strong>The backup was handed over as {fileName}.</strong> See that the file is where you want it, and keep its passphrase.</Trans></p>}
        {backingUp && fileName === undefined
          ? <BackupForm onSaved={setFileName} />
          : fileName === undefined && <Button onClick={() => setBackingUp(true)}><Trans>Save an encrypted backup…</Trans></Button>}
      </div>
      {leaving && <p className={styles.leaving} role="alert"><Trans>These two are the only proof that the account is yours. If this Sotto’s data is lost, so is what was paid into it. They can be shown again in the Wallet, as long as it is there.</Trans></p>}
      {saved.failure && <FailureNote failure={saved.failure} className={styles.failure} />}
      <footer className={styles.actions}>
        {leaving && <Button onClick={() => void leave(false)}><Trans>Go on without saving them</Trans></Button>}
        <Button kind="primary" onClick={() => void saved.run()} busy={saved.busy && t`Noting…`}><Trans>I have saved it</Trans></Button>
      </footer>
    </>
  )
}
