import { Trans } from '@lingui/react/macro'
import { addressOf } from '../../../ui/route.ts'
import styles from './no-keys.module.css'

/** Why there is nothing to manage, and what changes that. */
export function NoKeys({ connected }: { connected: boolean }) {
  const wallet = (
    <a className={styles.link} href={addressOf({ view: 'wallet', part: 'accounts' })}>
      <Trans>Wallet</Trans>
    </a>
  )
  if (!connected)
    return (
      <p className={styles.none}>
        <Trans>
          No account is active, so there are no keys to manage. Connect or create one in {wallet}.
        </Trans>
      </p>
    )
  return (
    <div className={styles.none}>
      <p>
        <Trans>
          The active account is connected with an API key only. To manage keys, the service needs the
          account’s <strong>credit ID</strong>, shown once when the account is created.
        </Trans>
      </p>
      <p>
        <Trans>
          If you have it, connect the account again in {wallet} with its API key and credit ID. Until then,
          you can’t list, limit, or revoke its keys here.
        </Trans>
      </p>
    </div>
  )
}
