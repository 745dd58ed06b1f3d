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

/** Has at least one of the two. */
export interface Credentials {
  readonly apiKey?: string
  readonly creditId?: string
}

interface NewCredentialsProps {
  accountId: string
  /** Disposed when the person leaves. */
  credentials: HeldSecret<Credentials>
  /** The person is about to leave without a confirmation that the credentials are saved. */
  leaving: boolean
  /** `saved`: the person confirmed it, and the core has recorded that. */
  done: (saved: boolean) => Promise<void> | void
}

/**
 * The credentials of a new account. Only here are they shown without a request, with both ways to save them elsewhere.
 */
export function NewCredentials({ accountId, credentials, leaving, done }: NewCredentialsProps) {
  const [backingUp, setBackingUp] = useState(false)
  const [fileName, setFileName] = useState<string>()
  const leave = async (isSaved: boolean) => {
    await done(isSaved)
    credentials.dispose()
  }
  const saved = useAction(async () => {
    await api.accounts.markSaved({ accountId })
    await leave(true)
  })
  const hasForm = backingUp && fileName === undefined
  const { apiKey, creditId } = credentials.value ?? {}
  return (
    <>
      {apiKey !== undefined && <SecretValue name={t`API key`} secret={apiKey} />}
      {creditId !== undefined && <SecretValue name={t`Credit ID`} secret={creditId} />}
      {credentials.value && (
        <div className={styles.missing}>
          <MissingCredential hasKey={apiKey !== undefined} hasCreditId={creditId !== undefined} />
        </div>
      )}
      <SecretClipboardNote />
      <div className={styles.backup}>
        <p>
          <Trans>Or save them in an encrypted file with the other accounts saved here.</Trans>
        </p>
        {fileName !== undefined && (
          <p role="status">
            <Trans>
              <strong>The backup was exported as {fileName}.</strong> Check that the file is where you want
              it, and keep its passphrase.
            </Trans>
          </p>
        )}
        {hasForm ? (
          <BackupForm onSaved={setFileName} />
        ) : (
          fileName === undefined && (
            <Button onClick={() => setBackingUp(true)}>
              <Trans>Save encrypted backup…</Trans>
            </Button>
          )
        )}
      </div>
      {leaving && (
        <p className={styles.leaving} role="alert">
          <Trans>
            These credentials are the only proof that the account is yours. If you lose Sotto’s data without
            them, you lose the balance. Until then, you can view them again in Wallet.
          </Trans>
        </p>
      )}
      {saved.failure && <FailureNote failure={saved.failure} className={styles.failure} />}
      <footer className={styles.actions}>
        {leaving && (
          <Button onClick={() => void leave(false)}>
            <Trans>Continue without saving</Trans>
          </Button>
        )}
        <Button
          kind={hasForm ? 'secondary' : 'primary'}
          onClick={() => void saved.run()}
          busy={saved.busy && t`Saving…`}
        >
          <Trans>I’ve saved them</Trans>
        </Button>
      </footer>
    </>
  )
}

/** Names what an account can't do without the credential that it lacks. Nothing is shown if it has both. */
export function MissingCredential({ hasKey, hasCreditId }: { hasKey: boolean; hasCreditId: boolean }) {
  if (hasKey && hasCreditId) return null
  return hasKey ? (
    <span>
      <Trans>Connected with an API key only, so its keys and automatic top-up can’t be managed here</Trans>
    </span>
  ) : (
    <span>
      <Trans>
        No API key, so chat, media, and top-ups aren’t available. Create a key in Keys, then connect it.
      </Trans>
    </span>
  )
}
