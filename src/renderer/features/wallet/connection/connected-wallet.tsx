import { useEffect, useState } from 'react'
import type { WalletConnection } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts, HexFact } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import styles from './connection.module.css'
import { Funds } from './funds.tsx'
import { disconnectWallet, loadFunds } from './wallet-store.ts'

/** What NIP-47 calls the things that matter here. */
const methodWords: Readonly<Record<string, string>> = {
  pay_invoice: 'pay invoices',
  lookup_invoice: 'say what became of a payment',
  get_balance: 'tell its balance',
  get_budget: 'tell this connection’s budget',
}

export function ConnectedWallet({ connection }: { connection: WalletConnection }) {
  const { kind, publicKey, relays, alias, methods, canLookUp, connectedAt } = connection
  useEffect(() => void loadFunds(), [publicKey])
  const can = methods.flatMap((method) => methodWords[method] ?? [])
  const others = methods.filter((method) => methodWords[method] === undefined)
  return (
    <div className={styles.part}>
      <Facts>
        <Fact name="Wallet">{kind === 'sandbox' ? 'The sandbox’s pretended wallet, which holds no real money' : alias === undefined ? 'It gives itself no name' : <>It calls itself “{alias}”</>}</Fact>
        <Fact name="Holds"><Funds /></Fact>
        <Fact name="Says that it can">{can.length > 0 ? can.join(', ') : 'nothing that Sotto needs'}{others.length > 0 && <span className={styles.dim}>; also <code>{others.join(' ')}</code></span>}</Fact>
        <Fact name={relays.length === 1 ? 'Relay' : 'Relays'}>{relays.map((relay, index) => <span key={relay}>{index > 0 && ', '}<code>{relay}</code></span>)}</Fact>
        <HexFact name="Public key" hex={publicKey} />
        <Fact name="Connected"><Moment at={connectedAt} /></Fact>
      </Facts>
      {!canLookUp && (
        <p className={styles.note} role="note">
          <span><strong>Manual payments only.</strong> This wallet cannot say afterwards what became of a payment. So nothing is paid by itself: you are asked for each payment, whatever the limits below say. A connection that is allowed <code>lookup_invoice</code> changes that.</span>
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
      <Button onClick={() => setOpen(true)}>Disconnect…</Button>
      <Dialog
        open={open}
        onClose={close}
        alert
        title="Disconnect the wallet?"
        says={sandbox ? 'Sotto forgets the connection. It can be made again at any time.' : 'Sotto forgets the connection; your wallet does not. To disconnect is not to revoke: remove the connection in the wallet as well, so that nobody who ever copied it can spend with it.'}
      >
        {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.gap} />}
        <DialogActions>
          <Button onClick={close} autoFocus>Keep it</Button>
          <Button kind="primary" onClick={() => void disconnect.run()} busy={disconnect.busy && 'Disconnecting…'}>Disconnect</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
