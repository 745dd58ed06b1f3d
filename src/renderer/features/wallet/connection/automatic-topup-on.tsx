import { useState } from 'react'
import type { AutomaticTopupView } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatUsd } from '../../../ui/format/money.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './connection.module.css'
import { disconnectAutomaticTopup } from './wallet-store.ts'

type On = Extract<AutomaticTopupView, { connected: true }>

export function AutomaticTopupOn({ view: { threshold, amount } }: { view: On }) {
  const [open, setOpen] = useState(false)
  const disconnect = useAction(async () => {
    await disconnectAutomaticTopup()
    setOpen(false)
  })
  const close = () => {
    disconnect.clear()
    setOpen(false)
  }
  return (
    <div className={styles.part}>
      <Facts>
        <Fact name="State">On: the service holds a connection to a wallet</Fact>
        <Fact name="When the balance is below">{threshold === undefined ? 'The service does not say' : formatUsd(threshold)}</Fact>
        <Fact name="It charges the wallet">{amount === undefined ? 'The service does not say' : formatUsd(amount)}</Fact>
      </Facts>
      <p className={styles.hint}>Other terms, or another wallet: disconnect this one and connect again.</p>
      <div className={styles.actions}><Button onClick={() => setOpen(true)}>Disconnect…</Button></div>
      <Dialog open={open} onClose={close} alert title="Disconnect the automatic topup?" says="The service is told to forget the connection and to charge nothing more. To disconnect is not to revoke: only your wallet can do that, so remove the connection there as well.">
        {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.gap} />}
        <DialogActions>
          <Button onClick={close} autoFocus>Keep it</Button>
          <Button kind="primary" onClick={() => void disconnect.run()} busy={disconnect.busy && 'Disconnecting…'}>Disconnect</Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
