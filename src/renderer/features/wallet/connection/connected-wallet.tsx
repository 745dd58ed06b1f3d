import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { WalletConnection } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts, HexFact } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatList } from '../../../ui/format/list.ts'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './connection.module.css'
import { Funds } from './funds.tsx'
import { disconnectWallet, loadFunds } from './wallet-store.ts'

/** What NIP-47 calls the things that matter here. */
const methodWords: Readonly<Record<string, string>> = {
  get pay_invoice() { return t`pay invoices` },
  get lookup_invoice() { return t`say what became of a payment` },
  get get_balance() { return t`tell its balance` },
  get get_budget() { return t`tell this connection’s budget` },
}

export function ConnectedWallet({ connection }: { connection: WalletConnection }) {
  const { kind, publicKey, relays, alias, methods, canLookUp, connectedAt } = connection
  useEffect(() => void loadFunds(), [publicKey])
  const can = methods.flatMap((method) => methodWords[method] ?? [])
  const others = methods.filter((method) => methodWords[method] === undefined)
  return (
    <div className={styles.part}>
      <Facts>
        <Fact name={t`Wallet`}>{kind === 'sandbox' ? t`The sandbox’s pretended wallet, which holds no real money` : alias === undefined ? t`It gives itself no name` : <Trans>It calls itself “{alias}”</Trans>}</Fact>
        <Fact name={t`Holds`}><Funds /></Fact>
        <Fact name={t`Says that it can`}>{can.length > 0 ? formatList(can) : t`nothing that Sotto needs`}{others.length > 0 && <span className={styles.dim}>; <Trans>also <code>{others.join(' ')}</code></Trans></span>}</Fact>
        <Fact name={relays.length === 1 ? t`Relay` : t`Relays`}>{relays.map((relay, index) => <span key={relay}>{index > 0 && ', '}<code>{relay}</code></span>)}</Fact>
        <HexFact name={t`Public key`} copies={t`Copy public key`} hex={publicKey} />
        <Fact name={t`Connected`}><Moment at={connectedAt} /></Fact>
      </Facts>
      {!canLookUp && (
        <p className={styles.note} role="note">
          <span><Trans><strong>Manual payments only.</strong> This wallet cannot say afterwards what became of a payment. So nothing is paid by itself: you are asked for each payment, whatever the limits below say. A connection that is allowed <code>lookup_invoice</code> changes that.</Trans></span>
        </p>
      )}
      <div className={styles.actions}><Disconnect sandbox={kind === 'sandbox'} /></div>
    </div>
  )
}

function Disconnect({ sandbox }: { sandbox: boolean }) {
  const [open, setOpen] = useState(false)
  const disconnect = useAction(async () => {
    await disconnectWallet()
    setOpen(false)
  })
  const close = () => {
    disconnect.clear()
    setOpen(false)
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}><Trans>Disconnect…</Trans></Button>
      <Dialog
        open={open}
        onClose={close}
        alert
        title={t`Disconnect the wallet?`}
        says={sandbox ? t`Sotto forgets the connection. It can be made again at any time.` : t`Sotto forgets the connection; your wallet does not. To disconnect is not to revoke: remove the connection in the wallet as well, so that nobody who ever copied it can spend with it.`}
      >
        {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.gap} />}
        <DialogActions>
          <Button onClick={close} autoFocus><Trans>Keep it</Trans></Button>
          <Button kind="primary" onClick={() => void disconnect.run()} busy={disconnect.busy && t`Disconnecting…`}><Trans>Disconnect</Trans></Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
