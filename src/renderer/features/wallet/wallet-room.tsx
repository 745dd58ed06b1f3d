import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { Room } from '../../ui/room.tsx'
import { RoomTabs } from '../../ui/room-tabs.tsx'
import { useRoute } from '../../ui/route.ts'
import { useDirect, useService, useStatus } from '../../ui/status-store.ts'
import { loadAccounts } from './accounts/account-store.ts'
import { Accounts } from './accounts/accounts.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { loadLowBalance, loadRecentReceipts, refreshBalance } from './balance-store.ts'
import { AutomaticTopupSection } from './connection/automatic-topup-section.tsx'
import { ConnectionSection } from './connection/connection-section.tsx'
import { loadWallet } from './connection/wallet-store.ts'
import { NoAccount } from './no-account.tsx'
import { PurchasesSection } from './purchases/purchases-section.tsx'
import { followTopups, loadMethods } from './topups/topup-store.ts'
import { Topups } from './topups/topups.tsx'
import styles from './wallet-room.module.css'

const tabs = [
  {
    id: 'topups',
    get name() {
      return t`Add funds`
    },
    Tab: Topups,
  },
  {
    id: 'accounts',
    get name() {
      return t`Accounts`
    },
    Tab: Accounts,
  },
  {
    id: 'connection',
    get name() {
      return t`Lightning`
    },
    Tab: Connection,
  },
  {
    id: 'purchases',
    get name() {
      return t`Pay per request`
    },
    Tab: Purchases,
  },
] as const

/** Without a service there is a key, and no money to see. */
export function WalletRoom() {
  return useDirect() ? <ProviderKeys /> : <Money />
}

function ProviderKeys() {
  const service = useService()
  useEffect(() => void loadAccounts(), [service])
  return (
    <Room
      title={t`Wallet`}
      says={t`Your API keys for this provider. The provider bills you, and Sotto can’t see your balance there.`}
    >
      <Accounts />
    </Room>
  )
}

/** The balance, top-ups, accounts, and the wallet that pays for single requests. */
function Money() {
  const { part } = useRoute()
  const service = useService()
  const hasAccount = useStatus((state) => state.status?.account.connected === true)
  useEffect(() => {
    const left = new AbortController()
    void loadAccounts()
    void refreshBalance()
    void loadLowBalance()
    void loadRecentReceipts()
    void loadWallet()
    void loadMethods(left.signal)
    void followTopups(left.signal)
    return () => left.abort()
  }, [service])
  const tab = tabs.find(({ id }) => id === part)?.id ?? 'topups'
  return (
    <Room
      title={t`Wallet`}
      says={t`Your balance, accounts, and payments. Sotto shows the price before you pay and the cost after.`}
    >
      {hasAccount ? (
        <BalancePanel brief={tab !== 'topups'} />
      ) : (
        tab !== 'accounts' && (
          <div className={styles.none}>
            <NoAccount says={t`No account is active, so there’s no balance to show or top up.`} />
          </div>
        )
      )}
      <RoomTabs room="wallet" label={t`Wallet sections`} tabs={tabs} />
    </Room>
  )
}

function Connection() {
  return (
    <div className={styles.sections}>
      <ConnectionSection />
      <AutomaticTopupSection />
    </div>
  )
}

function Purchases() {
  return (
    <div className={styles.sections}>
      <PurchasesSection />
    </div>
  )
}
