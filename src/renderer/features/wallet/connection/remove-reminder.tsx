import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/button.tsx'
import styles from './connection.module.css'
import { removed, useWallet, type StillKnown } from './wallet-store.ts'

const words: Readonly<Record<StillKnown, { readonly what: string; readonly why: string }>> = {
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

/** To disconnect does not revoke. Stays until it is said to be done. */
export function RemoveReminder({ what }: { what: StillKnown }) {
  const due = useWallet((state) => state.toRemove.includes(what))
  if (!due) return null
  return (
    <div className={styles.note} role="status">
      <p>
        <strong>{words[what].what}</strong> {words[what].why}
      </p>
      <div className={styles.actions}>
        <Button onClick={() => removed(what)}>
          <Trans>I’ve removed it</Trans>
        </Button>
      </div>
    </div>
  )
}
