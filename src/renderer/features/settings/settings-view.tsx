import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { isDirect } from '../../../shared/direct.ts'
import type { Status } from '../../../shared/status.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatExactUsd, formatUsd } from '../../ui/format/money.ts'
import { View, Section } from '../../ui/view.tsx'
import { go, useRoute } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useAction } from '../../ui/use-action.ts'
import { AppearanceSection } from './appearance-section.tsx'
import { ChangesPage } from './changes-page.tsx'
import { ContactsSection } from './contacts-section.tsx'
import { DesktopSection } from './desktop-section.tsx'
import { LogSection } from './log-section.tsx'
import { SandboxSection } from './sandbox-section.tsx'
import { ServiceSection } from './service-section.tsx'
import { SettingsGroups } from './settings-groups.tsx'
import styles from './settings-view.module.css'
import { ToolsSection } from './tools-section.tsx'
import { UpdatesSection } from './updates-section.tsx'
import { VaultSection } from './vault-section.tsx'
import { WindowsSection } from './windows-section.tsx'

export function SettingsView() {
  const status = useStatus((state) => state.status)
  const { part } = useRoute()
  if (!status) return null
  if (part === 'changes') return <ChangesPage />
  return (
    <View title={t`Settings`} wide>
      <SettingsGroups
        groups={[
          {
            id: 'general',
            name: t`General`,
            content: (
              <>
                <AppearanceSection />
                <DesktopSection />
              </>
            ),
          },
          {
            id: 'service',
            name: t`Service and account`,
            content: (
              <>
                <ServiceSection service={status.service} />
                <AccountSection status={status} />
              </>
            ),
          },
          {
            id: 'security',
            name: t`Security`,
            content: (
              <>
                <VaultSection vault={status.vault} />
                <WindowsSection />
              </>
            ),
          },
          {
            id: 'tools',
            name: t`Tools`,
            content: (
              <ServiceScope>
                <ToolsSection />
              </ServiceScope>
            ),
          },
          ...(status.service.kind === 'sandbox'
            ? [{ id: 'demo', name: t`Demo mode`, content: <SandboxSection /> }]
            : []),
          {
            id: 'about',
            name: t`Updates and help`,
            content: (
              <>
                <UpdatesSection />
                <ContactsSection />
                <LogSection />
              </>
            ),
          },
        ]}
      />
    </View>
  )
}

function AccountSection({ status: { account, service } }: { status: Status }) {
  return (
    <Section
      title={t`Account`}
      description={
        isDirect(service)
          ? t`Sotto sends your provider’s API key with each request. Connect and remove keys in Wallet.`
          : service.kind === 'sandbox'
            ? t`The demo account holds no real money. To use a real account, change the service first.`
            : t`You can have several accounts, and one of them pays. Create, connect, save, and remove accounts in Wallet.`
      }
    >
      <Facts>
        <Fact name={t`Key`}>
          {account.connected ? t`Connected (key stored in the vault)` : t`Not connected`}
        </Fact>
        {account.creditIdMasked !== undefined && (
          <Fact name={t`Credit ID`}>
            <code>{account.creditIdMasked}</code>
          </Fact>
        )}
        {account.connected && !isDirect(service) && (
          <Fact name={t`Balance`}>
            <ServiceScope>
              <Balance />
            </ServiceScope>
          </Fact>
        )}
      </Facts>
      <div className={styles.actions}>
        <Button onClick={() => go({ view: 'wallet', part: 'accounts' })}>
          {isDirect(service) ? <Trans>Manage keys</Trans> : <Trans>Manage accounts</Trans>}
        </Button>
      </div>
    </Section>
  )
}

function Balance() {
  const [picoUsd, setPicoUsd] = useState<string>()
  const ask = useAction(async () => setPicoUsd((await api.accounts.balance()).picoUsd))
  return (
    <>
      {picoUsd !== undefined && (
        <span className={styles.balance} title={formatExactUsd(picoUsd)}>
          {formatUsd(picoUsd, { round: 'down' })}{' '}
        </span>
      )}
      <Button
        kind="link"
        className={styles.ask}
        onClick={() => void ask.run()}
        busy={ask.busy && t`Loading…`}
      >
        {picoUsd === undefined ? t`Show balance` : t`Refresh`}
      </Button>
      {ask.failure && <FailureNote failure={ask.failure} />}
    </>
  )
}
