import { useState, type SyntheticEvent } from 'react'
import type { Status } from '../../../shared/status.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { codedFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { ProtectForm } from '../../ui/service/protect-form.tsx'
import { refreshStatus, setStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import styles from './vault-screen.module.css'

/** In place of every room while the vault is not open. */
export function VaultScreen({ vault }: { vault: Status['vault'] }) {
  return (
    <main className={styles.screen} id="main" tabIndex={-1}>
      <div className={styles.page}>
        <p className={styles.name}>Sotto</p>
        {vault.state === 'locked' && (vault.kind === 'keychain' ? <LockedKeychain /> : <Locked />)}
        {vault.state === 'passphrase-needed' && <PassphraseNeeded />}
        {vault.state === 'damaged' && <Damaged />}
      </div>
    </main>
  )
}

function Locked() {
  const [passphrase, setPassphrase] = useState('')
  const unlock = useAction(async () => setStatus(await api.vault.unlock({ passphrase })))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (passphrase) void unlock.run()
  }
  return (
    <>
      <h1>The vault is locked</h1>
      <p>Your conversations and the account’s key are sealed with your passphrase. Until it is given, nothing can be read, sent or served to other programs.</p>
      <form className={styles.form} onSubmit={submit}>
        <Field label="Passphrase" type="password" autoComplete="current-password" value={passphrase} onChange={(event) => { setPassphrase(event.target.value); unlock.clear() }} autoFocus />
        {unlock.failure && <FailureNote failure={unlock.failure} />}
        <Button kind="primary" type="submit" busy={unlock.busy && 'Deriving the key…'} disabled={!passphrase}>Unlock</Button>
      </form>
    </>
  )
}

function LockedKeychain() {
  const again = useAction(refreshStatus)
  return (
    <>
      <h1>The system keychain is locked</h1>
      <p>Sotto’s key lies in the keychain of this system. Unlock the keychain, as you do for other programs; this window goes on by itself.</p>
      <div className={styles.form}><Button kind="primary" onClick={() => void again.run()} busy={again.busy && 'Asking…'}>Ask again</Button></div>
    </>
  )
}

function PassphraseNeeded() {
  return (
    <>
      <h1>Choose a passphrase</h1>
      <p>What Sotto keeps is sealed before it is written: conversations, receipts, the account’s key. This system offers no keychain, so a passphrase holds the key.</p>
      <ProtectForm />
    </>
  )
}

function Damaged() {
  const { says, remedy } = codedFailure('vault/damaged')
  return (
    <>
      <h1>The vault is damaged</h1>
      <p>{says}</p>
      <p>{remedy} Sotto does not make a new one in its place: that would lose what the old one holds for good.</p>
      <p className={styles.code}><code>vault/damaged</code></p>
    </>
  )
}
