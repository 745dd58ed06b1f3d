import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Wallet } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { go } from '../../ui/route.ts'

/** Without an account there is no balance: the ways to one, and to pay without. */
export function NoAccount() {
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
