import { t } from '@lingui/core/macro'
import { useAnswer } from '../../../data/use-answer.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Section } from '../../../ui/view.tsx'
import styles from './connection.module.css'
import { ConnectWallet } from './connect-wallet.tsx'
import { ConnectedWallet } from './connected-wallet.tsx'
import { LimitsForm } from './limits-form.tsx'
import { PaidHosts } from './paid-hosts.tsx'
import { Paused } from './paused.tsx'
import { RemoveReminder } from './remove-reminder.tsx'
import { Spent } from './spent.tsx'
import { walletQuestion } from './wallet-store.ts'

/** The person's own Lightning wallet: its connection, limits and payments. */
export function ConnectionSection() {
  const { data: wallet, failure, refresh } = useAnswer(walletQuestion)
  return (
    <Section
      title={t`Your Lightning wallet`}
      description={t`Your own wallet pays for top-ups and single requests, within the limits you set here.`}
    >
      <div className={styles.parts}>
        {failure && <FailureNote failure={failure} onRetry={refresh} />}
        {!wallet && !failure && <Skeleton label={t`Loading wallet…`} />}
        <RemoveReminder what="wallet" />
        {/* Without lookups there are no automatic payments that could be paused. */}
        {wallet?.paused && wallet.connection?.canLookUp !== false && <Paused paused={wallet.paused} />}
        {wallet &&
          (wallet.connection ? <ConnectedWallet connection={wallet.connection} /> : <ConnectWallet />)}
        {wallet && <LimitsForm key={Object.values(wallet.limits).join()} limits={wallet.limits} />}
        {wallet && <Spent wallet={wallet} />}
        {wallet && <PaidHosts hosts={wallet.hosts} />}
      </div>
    </Section>
  )
}
