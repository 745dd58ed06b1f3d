import type { SyntheticEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ConnectionField, useConnectionInput } from './connection-field.tsx'
import styles from './connection.module.css'
import { connectSandboxWallet, connectWallet } from './wallet-store.ts'

/** How a wallet is connected, and what is handed over with it. */
export function ConnectWallet() {
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  return (
    <div className={styles.part}>
      <p className={styles.says}>No wallet is connected. What is bought once can still be paid by scanning a code with any wallet that shows its proof of payment.</p>
      {sandbox && <SandboxWallet />}
      <PasteConnection />
    </div>
  )
}

function SandboxWallet() {
  const connect = useAction(connectSandboxWallet)
  return (
    <div className={styles.form}>
      <p className={styles.hint}>The sandbox has a wallet of its own. It speaks as a real one does, over a relay on this machine, and holds no money.</p>
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}><Button kind="primary" onClick={() => void connect.run()} busy={connect.busy && 'Connecting…'}>Connect the sandbox’s wallet</Button></div>
    </div>
  )
}

function PasteConnection() {
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  const input = useConnectionInput()
  const connect = useAction(async () => {
    const connection = input.take()
    if (connection !== undefined) await connectWallet(connection)
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void connect.run()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <h3 className={styles.title}>Connect a wallet by NWC</h3>
      <ol className={styles.steps}>
        <li>In your wallet, make a connection for Sotto alone (Nostr Wallet Connect), never one that something else uses.</li>
        <li>Give it a budget of its own: whoever holds the connection can spend that much, and no more.</li>
        <li>Let it pay invoices and look payments up.</li>
      </ol>
      <ConnectionField
        input={input}
        label="Wallet connection"
        disabled={connect.busy}
        hint="Begins with nostr+walletconnect://. It is a key to spend with: it goes into Sotto’s vault, this field is cleared at once, and it is never shown again."
      />
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}>
        <Button kind={sandbox ? 'quiet' : 'primary'} type="submit" busy={connect.busy && 'Asking the wallet…'}>Connect the wallet…</Button>
        <span className={styles.hint}>You confirm it outside this window.</span>
      </div>
    </form>
  )
}
