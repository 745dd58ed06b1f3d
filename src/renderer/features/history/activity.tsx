import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ReceiptText } from 'lucide-react'
import { ServiceScope } from '../../data/service-scope.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { go } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import { ExportButtons } from './export-buttons.tsx'
import { Filters } from './filters.tsx'
import styles from './activity.module.css'
import { RecordList } from './record-list.tsx'
import { Spending } from './spending.tsx'

/** The service's records of the account: each request with its time and cost. A tab of the wallet. */
export function Activity() {
  const account = useStatus((state) => state.status?.account)
  const connected = account?.connected === true
  const hasCreditId = account?.creditIdMasked !== undefined
  return (
    <>
      <p className={styles.limit}>
        <Trans>
          Requests recorded by the service for this account, with times and costs. Prompts and replies aren’t
          included.
        </Trans>
      </p>
      {connected ? (
        <ServiceScope>
          <Filters />
          {!hasCreditId && (
            <p className={styles.limit}>
              <Trans>
                This account is connected with an API key only. Add its credit ID to see key names and filter
                by key.
              </Trans>
            </p>
          )}
          <Spending />
          <RecordList />
          <ExportButtons />
        </ServiceScope>
      ) : (
        <EmptyState
          icon={ReceiptText}
          title={t`No account is active`}
          description={t`The service keeps a history for each account. Receipts of this computer are in Privacy.`}
        >
          <Button onClick={() => go({ view: 'wallet', part: 'accounts' })}>
            <Trans>Choose or create an account</Trans>
          </Button>
        </EmptyState>
      )}
    </>
  )
}
