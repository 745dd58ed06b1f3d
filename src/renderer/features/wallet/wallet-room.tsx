import { t } from '@lingui/core/macro'
import { Tabs } from 'radix-ui'
import { useEffect } from 'react'
import { Room } from '../../ui/room.tsx'
import { go, useRoute } from '../../ui/route.ts'
import { useService, useStatus } from '../../ui/status-store.ts'
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
  { id: 'topups', get name() { return t`Top up` } },
  { id: 'accounts', get name() { return t`Accounts` } },
  { id: 'connection', get name() { return t`Lightning` } },
  { id: 'purchases', get name() { return t`Buy once` } },
] as const

/** Money: what there is, how more is added, whose it is, and what pays for single requests. */
export function WalletRoom() {
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
    <Room title={t`Wallet`} says={t`What is paid to the service, and from what. Sotto says every price before it is spent, and what it cost after.`}>
      {hasAccount ? <BalancePanel brief={tab !== 'topups'} /> : tab !== 'accounts' && <div className={styles.none}><NoAccount says={t`No account is active, so there is no balance, and nothing to top up.`} /></div>}
      <Tabs.Root value={tab} onValueChange={(chosen) => go(chosen === 'topups' ? { room: 'wallet' } : { room: 'wallet', part: chosen })} className={styles.tabs}>
        <Tabs.List className={styles.names} aria-label={t`Parts of the wallet`}>
          {tabs.map(({ id, name }) => <Tabs.Trigger key={id} value={id} className={styles.name}>{name}</Tabs.Trigger>)}
        </Tabs.List>
        <Tabs.Content value="topups" tabIndex={-1}><Topups hasAccount={hasAccount} /></Tabs.Content>
        <Tabs.Content value="accounts" tabIndex={-1}><Accounts /></Tabs.Content>
        <Tabs.Content value="connection" tabIndex={-1} className={styles.sections}><ConnectionSection /><AutomaticTopupSection /></Tabs.Content>
        <Tabs.Content value="purchases" tabIndex={-1} className={styles.sections}><PurchasesSection /></Tabs.Content>
      </Tabs.Root>
    </Room>
  )
}
