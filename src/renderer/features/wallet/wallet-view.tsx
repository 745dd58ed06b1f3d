import { t } from '@lingui/core/macro'
import { useFollow } from '../../data/live-list.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { View } from '../../ui/view.tsx'
import { ViewTabs } from '../../ui/view-tabs.tsx'
import { useRoute } from '../../ui/route.ts'
import { useDirect, useStatus } from '../../ui/status-store.ts'
import { accountsQuestion } from './accounts/account-store.ts'
import { Accounts } from './accounts/accounts.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { AutomaticTopupSection } from './connection/automatic-topup-section.tsx'
import { ConnectionSection } from './connection/connection-section.tsx'
import { walletQuestion } from './connection/wallet-store.ts'
import { NoAccount } from './no-account.tsx'
import { PurchasesSection } from './purchases/purchases-section.tsx'
import { methodsQuestion, topupList } from './topups/topup-store.ts'
import { Topups } from './topups/topups.tsx'
import styles from './wallet-view.module.css'

const tabs = [
  {
    id: 'topups',
    get name() {
      return t`Add funds`
    },
    Tab: AddFunds,
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
export function WalletView() {
  return useDirect() ? <ProviderKeys /> : <Money />
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

/** The balance, top-ups, accounts, and the wallet that pays for single requests. */
function Money() {
  const { part } = useRoute()
  const tab = tabs.find(({ id }) => id === part)?.id ?? 'topups'
  return (
    <View
      title={t`Wallet`}
      description={t`Your balance, accounts, and payments. Sotto shows the price before you pay and the cost after.`}
    >
      <ServiceScope>
        <Summary tab={tab} />
      </ServiceScope>
      <ViewTabs room="wallet" label={t`Wallet sections`} tabs={tabs} />
    </View>
  )
}

/** Loads what several tabs show, and follows the top-ups in every tab, so that a payment is announced. */
function Summary({ tab }: { tab: (typeof tabs)[number]['id'] }) {
  useAnswer(accountsQuestion)
  useAnswer(walletQuestion)
  useAnswer(methodsQuestion)
  useFollow(topupList)
  const hasAccount = useStatus((state) => state.status?.account.connected === true)
  if (hasAccount) return <BalancePanel brief={tab !== 'topups'} />
  if (tab === 'accounts') return null
  return (
    <div className={styles.none}>
      <NoAccount says={t`No account is active, so there’s no balance to show or top up.`} />
    </div>
  )
}

function AddFunds() {
  return (
    <ServiceScope>
      <Topups />
    </ServiceScope>
  )
}

function Connection() {
  return (
    <ServiceScope>
      <div className={styles.sections}>
        <ConnectionSection />
        <AutomaticTopupSection />
      </div>
    </ServiceScope>
  )
}

function Purchases() {
  return (
    <div className={styles.sections}>
      <PurchasesSection />
    </div>
  )
}
