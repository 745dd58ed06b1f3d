import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { AutomaticTopupView } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { formatUsd } from '../../../ui/format/money.ts'
import styles from './connection.module.css'
import { disconnectAutomaticTopup } from './wallet-store.ts'

type On = Extract<AutomaticTopupView, { connected: true }>

export function AutomaticTopupOn({ view: { threshold, amount } }: { view: On }) {
  const [open, setOpen] = useState(false)
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
      {open && (
        <ConfirmDialog
          title={t`Disconnect automatic top-up?`}
          description={t`Sotto asks the service to delete the connection and stop charging. Disconnecting doesn’t revoke access. Only your wallet can, so remove the connection there too.`}
          kind="primary"
          button={t`Disconnect`}
          busy={t`Disconnecting…`}
          act={disconnectAutomaticTopup}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
