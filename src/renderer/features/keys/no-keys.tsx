import { Trans } from '@lingui/react/macro'
import { addressOf } from '../../ui/route.ts'
import styles from './keys-room.module.css'

/** Why there is nothing to manage, and what changes that. */
export function NoKeys({ connected }: { connected: boolean }) {
  const wallet = <a className={styles.link} href={addressOf({ room: 'wallet', part: 'accounts' })}><Trans>Wallet</Trans></a>
  if (!connected) return <p className={styles.none}><Trans>No account is active, so there are no keys to manage. Connect one, or make one, in the {wallet}.</Trans></p>
  return (
    <div className={styles.none}>
      <p><Trans>The active account was connected by a key alone. The service manages keys by the account’s <strong>credit id</strong>, which is shown once, when the account is made.</Trans></p>
      <p><Trans>If you have it, connect the account once more in the {wallet}, with its key and its credit id. Until then its keys cannot be listed, limited or revoked from here.</Trans></p>
    </div>
  )
}
