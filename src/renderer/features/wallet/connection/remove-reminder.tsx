import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useScope } from '../../../data/service-scope.tsx'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './connection.module.css'
import { confirmRemoved, connectionsToRemove, type StillKnown } from './wallet-store.ts'

const labels: Readonly<Record<StillKnown, { readonly what: string; readonly why: string }>> = {
  wallet: {
    get what() {
      return t`Sotto deleted the connection.`
    },
    get why() {
      return t`Your wallet still accepts it. Remove it there too.`
    },
  },
  'automatic-topup': {
    get what() {
      return t`Sotto asked the service to delete the connection.`
    },
    get why() {
      return t`Sotto can’t verify that it did, and your wallet still accepts the connection. Remove it in your wallet now.`
    },
  },
}

/** Disconnecting doesn't revoke access in the wallet. Shown until the person confirms that they removed it there. */
export function RemoveReminder({ what }: { what: StillKnown }) {
  const scope = useScope()
  const due = useScopedState(connectionsToRemove).includes(what)
  if (!due) return null
  return (
    <div className={styles.note} role="status">
      <p>
        <strong>{labels[what].what}</strong> {labels[what].why}
      </p>
      <div className={styles.actions}>
        <Button onClick={() => confirmRemoved(scope, what)}>
          <Trans>I’ve removed it</Trans>
        </Button>
      </div>
    </div>
  )
}
