import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { Status } from '../../../shared/status.ts'
import type { VaultView } from '../../../shared/vault-view.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { codedFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import screens from '../../ui/screen.module.css'
import { ProtectForm } from '../../ui/service/protect-form.tsx'
import { setStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import styles from './vault-screen.module.css'

/** Replaces every view while the vault isn't open. */
export function VaultScreen({ vault }: { vault: Status['vault'] }) {
  return (
    <main className={screens.screen} id="main" tabIndex={-1}>
      <div className={styles.page}>
        <p className={styles.name}>Sotto</p>
        {vault.state === 'locked' &&
          (vault.kind === 'keychain' ? (
            <LockedKeychain lockedBy={vault.lockedBy} />
          ) : (
            <Locked lockedBy={vault.lockedBy} />
          ))}
        {vault.state === 'passphrase-needed' && <PassphraseNeeded />}
        {vault.state === 'damaged' && <Damaged />}
      </div>
    </main>
  )
}

type LockedBy = Status['vault']['lockedBy']

/** Why Sotto locked, if the person didn't lock it. */
function Reason({ lockedBy }: { lockedBy: LockedBy }) {
  if (lockedBy?.by === 'sleep')
    return (
      <p role="status">
        <Trans>Locked because the computer went to sleep.</Trans>
      </p>
    )
  if (lockedBy?.by === 'idle')
    return (
      <p role="status">
        <Plural
          value={lockedBy.minutes}
          one="Locked after # minute without use."
          other="Locked after # minutes without use."
        />
      </p>
    )
  return null
}

function Locked({ lockedBy }: { lockedBy: LockedBy }) {
  const [passphrase, setPassphrase] = useState('')
  const unlock = useAction(async () => setStatus(await api.vault.unlock({ passphrase })))
  const submit = () => {
    if (passphrase) void unlock.run()
  }
  return (
    <>
      <h1>
        <Trans>Unlock Sotto</Trans>
      </h1>
      <Reason lockedBy={lockedBy} />
      <p>
        <Trans>Your chats and keys stay encrypted until you enter your passphrase.</Trans>
      </p>
      <Form className={styles.form} onSubmit={submit}>
        <Field
          label={t`Passphrase`}
          type="password"
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => {
            setPassphrase(event.target.value)
            unlock.clear()
          }}
          autoFocus
        />
        {unlock.failure && <FailureNote failure={unlock.failure} />}
        <Button kind="primary" type="submit" busy={unlock.busy && t`Unlocking…`} disabled={!passphrase}>
          <Trans>Unlock</Trans>
        </Button>
      </Form>
      <Recovery description={t`Lost your passphrase?`} />
    </>
  )
}

function LockedKeychain({ lockedBy }: { lockedBy: LockedBy }) {
  const keychain = useKeychain()
  const again = useAction(async () => setStatus(await api.vault.unlock({})))
  if (lockedBy && !again.failure) {
    return (
      <>
        <h1>
          <Trans>Unlock Sotto</Trans>
        </h1>
        <Reason lockedBy={lockedBy} />
        <p>
          <Trans>The system keychain unlocks Sotto, without a passphrase.</Trans>
        </p>
        <div className={styles.form}>
          <Button
            kind="primary"
            onClick={() => void again.run()}
            busy={again.busy && t`Unlocking…`}
            autoFocus
          >
            <Trans>Unlock</Trans>
          </Button>
        </div>
      </>
    )
  }
  return (
    <>
      <h1>
        {keychain === 'absent'
          ? t`System keychain unavailable`
          : keychain === 'refused'
            ? t`System keychain access denied`
            : t`System keychain locked`}
      </h1>
      <p>
        {keychain === 'absent' && (
          <Trans>
            Sotto’s key is stored in the system keychain, but no keychain is available. Start the keychain
            service, or sign in to your usual desktop session. Then try again.
          </Trans>
        )}
        {keychain === 'refused' && (
          <Trans>
            Sotto’s key is stored in the system keychain, which denied access. Allow Sotto to use it, then try
            again.
          </Trans>
        )}
        {keychain !== 'absent' && keychain !== 'refused' && (
          <Trans>Sotto’s key is stored in the system keychain. Unlock the keychain, then try again.</Trans>
        )}
      </p>
      <div className={styles.form}>
        {again.failure && <FailureNote failure={again.failure} />}
        <Button kind="primary" onClick={() => void again.run()} busy={again.busy && t`Loading…`}>
          <Trans>Try again</Trans>
        </Button>
      </div>
      <Recovery description={t`Lost your keychain?`} />
    </>
  )
}

function PassphraseNeeded() {
  return (
    <>
      <h1>
        <Trans>New passphrase</Trans>
      </h1>
      <p>
        <Trans>
          Sotto encrypts your chats, receipts, and API key before saving them. No system keychain is used
          here, so a passphrase protects the encryption key.
        </Trans>
      </p>
      <ProtectForm />
      <Recovery description={t`Have a recovery copy?`} />
    </>
  )
}

function Damaged() {
  const { says, remedy } = codedFailure('vault/damaged')
  const again = useAction(async () => setStatus(await api.vault.unlock({})))
  return (
    <>
      <h1>
        <Trans>Vault damaged</Trans>
      </h1>
      <p>{fromCore(says)}</p>
      <p>
        {fromCore(remedy)}{' '}
        <Trans>
          Sotto won’t replace it with a new vault, because everything in the old one would be lost.
        </Trans>
      </p>
      <p className={styles.code}>
        <code>vault/damaged</code>
      </p>
      <div className={styles.form}>
        {again.failure && <FailureNote failure={again.failure} />}
        <Button onClick={() => void again.run()} busy={again.busy && t`Checking…`}>
          <Trans>Try again</Trans>
        </Button>
      </div>
      <Recovery description={t`Have a recovery copy?`} />
    </>
  )
}

/** For a person who saved a recovery copy. */
function Recovery({ description }: { description: string }) {
  const [open, setOpen] = useState(false)
  return (
    <p className={styles.recovery}>
      {description}{' '}
      <Button kind="link" onClick={() => setOpen(true)}>
        <Trans>Restore from a recovery copy…</Trans>
      </Button>
      {open && <RestoreDialog close={() => setOpen(false)} />}
    </p>
  )
}

/** The state that the keychain reported; undefined until it is known. */
function useKeychain(): VaultView['keychain'] | undefined {
  const [keychain, setKeychain] = useState<VaultView['keychain']>()
  useEffect(() => {
    api.vault.view().then(
      (view) => setKeychain(view.keychain),
      () => undefined,
    )
  }, [])
  return keychain
}
