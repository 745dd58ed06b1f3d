import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ArrowLeft, Wallet } from 'lucide-react'
import type { ComponentType } from 'react'
import { useFollow } from '../../data/live-list.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { addressOf, useRoute, go } from '../../ui/route.ts'
import { useDirect, useStatus } from '../../ui/status-store.ts'
import { View } from '../../ui/view.tsx'
import { ViewTabs, type ViewTab } from '../../ui/view-tabs.tsx'
import { accountsQuestion } from './accounts/account-store.ts'
import { Accounts } from './accounts/accounts.tsx'
import { BalanceLine, BalancePanel } from './balance-panel.tsx'
import { AutomaticTopupSection } from './connection/automatic-topup-section.tsx'
import { ConnectionSection } from './connection/connection-section.tsx'
import { walletQuestion } from './connection/wallet-store.ts'
import { LowBalanceSection } from './low-balance-section.tsx'
import { RecentSpending } from './spending/recent-spending.tsx'
import { PurchasesSection } from './purchases/purchases-section.tsx'
import { AddFunds } from './topups/add-funds.tsx'
import { methodsQuestion, topupList } from './topups/topup-store.ts'
import { Topups } from './topups/topups.tsx'
import styles from './wallet-view.module.css'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Without an account there is no balance: the ways to one, and to pay without. */
function NoAccount() {
  return (
    <EmptyState
      icon={Wallet}
      title={t`No account is active`}
      description={t`Choose or create an account to see its balance and add funds.`}
    >
      <Button kind="primary" onClick={() => go({ view: 'wallet', part: 'accounts' })}>
        <Trans>Choose or create an account</Trans>
      </Button>
      <Button kind="ghost" onClick={() => go({ view: 'wallet', part: 'purchases' })}>
        <Trans>Pay per request</Trans>
      </Button>
    </EmptyState>
  )
}

/** Pages that belong to the first tab. */
const underBalance: readonly (string | undefined)[] = ['add', 'purchases']

/**
 * Creates the view.
 *
 * @param Activity the requests and their costs, which another feature shows
 */
export function createWalletView(Activity: ComponentType): ComponentType {
  const tabs: readonly [ViewTab, ...ViewTab[]] = [
    {
      id: 'topups',
      get name() {
        return t`Balance`
      },
      Tab: Balance,
    },
    {
      id: 'activity',
      get name() {
        return t`Activity`
      },
      Tab: Activity,
    },
    {
      id: 'connection',
      get name() {
        return t`Payment methods`
      },
      Tab: PaymentMethods,
    },
    {
      id: 'accounts',
      get name() {
        return t`Accounts`
      },
      Tab: AccountsTab,
    },
  ]
  return function WalletView() {
    // Without a service there is a key, and no money to see.
    return useDirect() ? <ProviderKeys /> : <Money tabs={tabs} />
  }
}

function ProviderKeys() {
  return (
    <View
      title={t`Wallet`}
      description={t`Your API keys for this provider. The provider bills you, and Sotto can’t see your balance there.`}
    >
      <Accounts />
    </View>
  )
}

function Money({ tabs }: { tabs: readonly [ViewTab, ...ViewTab[]] }) {
  const { part } = useRoute()
  return (
    <View title={t`Wallet`}>
      <ServiceScope>
        <Follow />
      </ServiceScope>
      <ViewTabs
        view="wallet"
        label={t`Wallet sections`}
        tabs={tabs}
        under={underBalance.includes(part) ? 'topups' : undefined}
      />
    </View>
  )
}

/** Loads what several tabs show, and follows the top-ups in every tab, so that a payment is announced. */
function Follow() {
  useAnswer(accountsQuestion)
  useAnswer(walletQuestion)
  useAnswer(methodsQuestion)
  useFollow(topupList)
  return null
}

function Balance() {
  const { part } = useRoute()
  const hasAccount = useStatus((state) => state.status?.account.connected === true)
  if (part === 'purchases') return <Purchases />
  if (!hasAccount)
    return (
      <ServiceScope>
        <NoAccount />
        <Topups />
      </ServiceScope>
    )
  return (
    <ServiceScope>
      {part === 'add' ? (
        <AddFunds />
      ) : (
        <>
          <BalancePanel />
          <Topups>
            <RecentSpending />
          </Topups>
        </>
      )}
    </ServiceScope>
  )
}

function PaymentMethods() {
  const hasAccount = useStatus((state) => state.status?.account.connected === true)
  return (
    <ServiceScope>
      <div className={styles.sections}>
        {!hasAccount && <NoAccount />}
        <ConnectionSection />
        <AutomaticTopupSection />
        {hasAccount && <LowBalanceSection />}
      </div>
    </ServiceScope>
  )
}

function AccountsTab() {
  const hasAccount = useStatus((state) => state.status?.account.connected === true)
  return (
    <div className={styles.sections}>
      {hasAccount && (
        <ServiceScope>
          <BalanceLine />
        </ServiceScope>
      )}
      <Accounts />
    </div>
  )
}

function Purchases() {
  return (
    <div className={styles.sections}>
      <a className={styles.back} href={addressOf({ view: 'wallet' })}>
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
        <Trans>Balance</Trans>
      </a>
      <PurchasesSection />
    </div>
  )
}
