import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Wallet } from '../../../../shared/wallet.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import { Moment } from '../../../ui/moment.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { formatSats } from '../../../ui/format/sats.ts'
import styles from './connection.module.css'
import { forgetHost } from './wallet-store.ts'

type Host = Wallet['hosts'][number]

/** Whom nobody is asked about again. */
export function PaidHosts({ hosts }: { hosts: readonly Host[] }) {
  return (
    <div className={styles.part}>
      <h3 className={styles.title}><Trans>Hosts that were paid before</Trans></h3>
      {hosts.length === 0 && <p className={styles.hint}><Trans>None yet. The first payment to a host is confirmed outside this window.</Trans></p>}
      {hosts.length > 0 && <p className={styles.hint}><Trans>Within the limits they are paid without that question. Forget one, and its next payment asks again.</Trans></p>}
      {hosts.length > 0 && <ul className={styles.hosts}>{hosts.map((host) => <li key={host.host}><HostRow host={host} /></li>)}</ul>}
    </div>
  )
}

function HostRow({ host: { host, spentInDay, firstPaidAt } }: { host: Host }) {
  const forget = useAction(() => forgetHost(host))
  return (
    <>
      <div className={styles.host}>
        <code className={styles.hostName}>{host}</code>
        <span className={styles.dim}><Trans>{formatSats(spentInDay)} in 24 hours; first paid <Moment at={firstPaidAt} /></Trans></span>
        <Button kind="plain" onClick={() => void forget.run()} busy={forget.busy && t`Forgetting…`}><Trans>Forget<Hidden> {host}</Hidden></Trans></Button>
      </div>
      {forget.failure && <FailureNote failure={forget.failure} />}
    </>
  )
}
