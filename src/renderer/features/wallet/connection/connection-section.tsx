import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Section } from '../../../ui/room.tsx'
import { useService } from '../../../ui/status-store.ts'
import styles from './connection.module.css'
import { ConnectWallet } from './connect-wallet.tsx'
import { ConnectedWallet } from './connected-wallet.tsx'
import { LimitsForm } from './limits-form.tsx'
import { PaidHosts } from './paid-hosts.tsx'
import { Paused } from './paused.tsx'
import { RemoveReminder } from './remove-reminder.tsx'
import { Spent } from './spent.tsx'
import { loadWallet, useWallet } from './wallet-store.ts'

/** The owner's own Lightning wallet: what it may be used for, and what it was used for. */
export function ConnectionSection() {
  const service = useService()
  const wallet = useWallet((state) => state.wallet)
  const failure = useWallet((state) => state.walletFailure)
  useEffect(() => {
    void loadWallet()
  }, [service])
  return (
    <Section
      title={t`Your Lightning wallet`}
      says={t`Your own wallet pays for top-ups and single requests, within the limits you set here.`}
    >
      <div className={styles.parts}>
        {failure && (
          <FailureNote failure={failure}>
            <Button onClick={() => void loadWallet()}>
              <Trans>Try again</Trans>
            </Button>
          </FailureNote>
        )}
        {!wallet && !failure && (
          <p className={styles.quiet} role="status">
            <Trans>Loading wallet…</Trans>
          </p>
        )}
        <RemoveReminder what="wallet" />
        {wallet?.paused && <Paused paused={wallet.paused} />}
        {wallet &&
          (wallet.connection ? <ConnectedWallet connection={wallet.connection} /> : <ConnectWallet />)}
        {wallet && <LimitsForm key={Object.values(wallet.limits).join()} limits={wallet.limits} />}
        {wallet && <Spent wallet={wallet} />}
        {wallet && <PaidHosts hosts={wallet.hosts} />}
      </div>
    </Section>
  )
}
