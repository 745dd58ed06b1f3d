import { Trans } from '@lingui/react/macro'
import { ServiceScope } from '../../data/service-scope.tsx'
import { Button } from '../../ui/button.tsx'
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
        <div className={styles.none}>
          <p>
            <Trans>
              No account is active, so there’s no service history to show. Receipts for requests from this
              computer are in Privacy. Pay-per-request purchases are in Wallet.
            </Trans>
          </p>
          <Button onClick={() => go({ view: 'wallet', part: 'accounts' })}>
            <Trans>Choose or create an account</Trans>
          </Button>
        </div>
      )}
    </>
  )
}
