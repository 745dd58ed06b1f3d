import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Form } from '../../../ui/field.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ConnectionField, useConnectionInput } from './connection-field.tsx'
import styles from './connection.module.css'
import { connectSandboxWallet, connectWallet } from './wallet-store.ts'

/** How to connect a wallet, and what Sotto receives with the connection. */
export function ConnectWallet() {
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  return (
    <div className={styles.part}>
      <p className={styles.says}>
        <Trans>
          No wallet connected. You can still pay per request: scan the code with any wallet that shows its
          proof of payment.
        </Trans>
      </p>
      {sandbox && <SandboxWallet />}
      <PasteConnection />
    </div>
  )
}

function SandboxWallet() {
  const connect = useAction(connectSandboxWallet)
  return (
    <div className={styles.form}>
      <p className={styles.hint}>
        <Trans>
          Demo mode has its own wallet. It works like a real one, over a relay on this computer, and holds no
          money.
        </Trans>
      </p>
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => void connect.run()} busy={connect.busy && t`Connecting…`}>
          <Trans>Connect demo wallet</Trans>
        </Button>
      </div>
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
  return (
    <Form className={styles.form} onSubmit={() => void connect.run()}>
      <h3 className={styles.title}>
        <Trans>Wallet connection with NWC</Trans>
      </h3>
      <ol className={styles.steps}>
        <li>
          <Trans>
            In your wallet, create a Nostr Wallet Connect (NWC) connection only for Sotto. Don’t reuse one
            from another app.
          </Trans>
        </li>
        <li>
          <Trans>Give it its own budget. Anyone with the connection can spend that much, but no more.</Trans>
        </li>
        <li>
          <Trans>Allow it to pay invoices and look up payments.</Trans>
        </li>
      </ol>
      <ConnectionField
        input={input}
        label={t`Wallet connection`}
        disabled={connect.busy}
        hint={t`Starts with nostr+walletconnect://. It’s a spending key. Sotto saves it in its vault, clears this field immediately, and never shows it again.`}
      />
      {connect.failure && <FailureNote failure={connect.failure} />}
      <div className={styles.actions}>
        <Button
          kind={sandbox ? 'secondary' : 'primary'}
          type="submit"
          busy={connect.busy && t`Contacting wallet…`}
        >
          <Trans>Connect wallet…</Trans>
        </Button>
        <span className={styles.hint}>
          <Trans>You’ll confirm in a system dialog or your terminal.</Trans>
        </span>
      </div>
    </Form>
  )
}
