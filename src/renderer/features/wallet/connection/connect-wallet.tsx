import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
      <p className={styles.says}><Trans>No wallet is connected. What is bought once can still be paid by scanning a code with any wallet that shows its proof of payment.</Trans></p>
      {sandbox && <SandboxWallet />}
      <PasteConnection />
    </div>
  )
}

function SandboxWallet() {
  const connect = useAction(connectSandboxWallet)
  return (
    <div className={styles.form}>
      <p className={styles.hint}><Trans>The sandbox has a wallet of its own. It speaks as a real one does, over a relay on this machine, and holds no money.</Trans></p>
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}><Button kind="primary" onClick={() => void connect.run()} busy={connect.busy && t`Connecting…`}><Trans>Connect the sandbox’s wallet</Trans></Button></div>
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
      <h3 className={styles.title}><Trans>Connect a wallet by NWC</Trans></h3>
      <ol className={styles.steps}>
        <li><Trans>In your wallet, make a connection for Sotto alone (Nostr Wallet Connect), never one that something else uses.</Trans></li>
        <li><Trans>Give it a budget of its own: whoever holds the connection can spend that much, and no more.</Trans></li>
        <li><Trans>Let it pay invoices and look payments up.</Trans></li>
      </ol>
      <ConnectionField
        input={input}
        label={t`Wallet connection`}
        disabled={connect.busy}
        hint={t`Begins with nostr+walletconnect://. It is a key to spend with: it goes into Sotto’s vault, this field is cleared at once, and it is never shown again.`}
      />
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}>
        <Button kind={sandbox ? 'quiet' : 'primary'} type="submit" busy={connect.busy && t`Asking the wallet…`}><Trans>Connect the wallet…</Trans></Button>
        <span className={styles.hint}><Trans>You confirm it outside this window.</Trans></span>
      </div>
    </form>
  )
}
