import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Wallet } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { formatSats } from '../../../ui/format/money.ts'
import styles from './connection.module.css'
import { forgetHost } from './wallet-store.ts'

type Host = Wallet['hosts'][number]

/** Hosts that were paid before, for which Sotto doesn't ask again. */
export function PaidHosts({ hosts }: { hosts: readonly Host[] }) {
  return (
    <div className={styles.part}>
      <h3 className={styles.title}>
        <Trans>Previously paid hosts</Trans>
      </h3>
      {hosts.length === 0 && (
        <p className={styles.hint}>
          <Trans>
            None yet. You’ll confirm the first payment to each host in a system dialog or your terminal.
          </Trans>
        </p>
      )}
      {hosts.length > 0 && (
        <p className={styles.hint}>
          <Trans>
            Sotto pays these hosts without asking you again, within your limits. If you remove a host, you
            confirm its next payment.
          </Trans>
        </p>
      )}
      {hosts.length > 0 && (
        <ul className={styles.hosts}>
          {hosts.map((host) => (
            <li key={host.host}>
              <HostRow host={host} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function HostRow({ host: { host, spentInDay, firstPaidAt } }: { host: Host }) {
  const forget = useAction(() => forgetHost(host))
  return (
    <>
      <div className={styles.host}>
        <code className={styles.hostName}>{host}</code>
        <span className={styles.quiet}>
          <Trans>
            {formatSats(spentInDay)} in the last 24 hours; first paid <Moment at={firstPaidAt} />
          </Trans>
        </span>
        <Button kind="link" onClick={() => void forget.run()} busy={forget.busy && t`Removing…`}>
          <Trans>
            Remove<Hidden> {host}</Hidden>
          </Trans>
        </Button>
      </div>
      {forget.failure && <FailureNote failure={forget.failure} />}
    </>
  )
}
