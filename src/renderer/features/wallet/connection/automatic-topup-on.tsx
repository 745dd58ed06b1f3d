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
        <Fact name={t`Status`}>
          <Trans>On: the service has a wallet connection</Trans>
        </Fact>
        <Fact name={t`When the balance falls below`}>
          {threshold === undefined ? t`Not reported` : formatUsd(threshold)}
        </Fact>
        <Fact name={t`Top-up amount`}>{amount === undefined ? t`Not reported` : formatUsd(amount)}</Fact>
      </Facts>
      <p className={styles.hint}>
        <Trans>To change the terms or the wallet, disconnect and connect again.</Trans>
      </p>
      <div className={styles.actions}>
        <Button onClick={() => setOpen(true)}>
          <Trans>Disconnect…</Trans>
        </Button>
      </div>
      <Dialog
        open={open}
        onClose={close}
        alert
        title={t`Disconnect automatic top-up?`}
        says={t`Sotto asks the service to delete the connection and stop charging. Disconnecting doesn’t revoke access. Only your wallet can, so remove the connection there too.`}
      >
        {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.gap} />}
        <DialogActions>
          <Button onClick={close} autoFocus>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind="primary"
            onClick={() => void disconnect.run()}
            busy={disconnect.busy && t`Disconnecting…`}
          >
            <Trans>Disconnect</Trans>
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
