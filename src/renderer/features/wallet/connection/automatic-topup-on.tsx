import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
        <Fact name={t`State`}><Trans>On: the service holds a connection to a wallet</Trans></Fact>
        <Fact name={t`When the balance is below`}>{threshold === undefined ? t`The service does not say` : formatUsd(threshold)}</Fact>
        <Fact name={t`It charges the wallet`}>{amount === undefined ? t`The service does not say` : formatUsd(amount)}</Fact>
      </Facts>
      <p className={styles.hint}><Trans>Other terms, or another wallet: disconnect this one and connect again.</Trans></p>
      <div className={styles.actions}><Button onClick={() => setOpen(true)}><Trans>Disconnect…</Trans></Button></div>
      <Dialog open={open} onClose={close} alert title={t`Disconnect the automatic topup?`} says={t`The service is told to forget the connection and to charge nothing more. To disconnect is not to revoke: only your wallet can do that, so remove the connection there as well.`}>
        {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.gap} />}
        <DialogActions>
          <Button onClick={close} autoFocus><Trans>Keep it</Trans></Button>
          <Button kind="primary" onClick={() => void disconnect.run()} busy={disconnect.busy && t`Disconnecting…`}><Trans>Disconnect</Trans></Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
