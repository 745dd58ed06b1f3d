import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { useAnswer } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import listing from '../../../ui/listing.module.css'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useDirect, useStatus } from '../../../ui/status-store.ts'
import { DisconnectDialog, ForgetDialog, RenameDialog } from './account-dialogs.tsx'
import { AccountRow, type AccountAct } from './account-row.tsx'
import { accountsQuestion } from './account-store.ts'
import styles from './accounts.module.css'
import { BackupDialog } from './backup-dialog.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { NewAccountDialog } from './new-account-dialog.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { RevealAccountDialog } from './reveal-dialog.tsx'

interface Open {
  readonly act: AccountAct | 'backup' | 'restore' | 'disconnect'
  readonly account?: ServiceAccount
}

/** The saved accounts. One of them is active and pays. */
export function Accounts() {
  const service = useStatus((state) => state.status?.service)
  const direct = useDirect()
  // A new account becomes the active one, and its credentials must remain visible after that.
  const [creates, setCreates] = useState(false)
  return (
    <section aria-label={direct ? t`API keys` : t`Accounts`}>
      <div className={listing.head}>
        <p className={listing.says}>
          {direct
            ? t`You can save several keys. The active key pays for Sotto and your tools.`
            : service?.kind === 'sandbox'
              ? t`Demo mode accounts hold no real money. Accounts at a real service are saved separately and appear when you use that service.`
              : t`You can save several accounts. The active account pays for Sotto and your tools.`}
        </p>
        <div className={styles.buttons}>
          <ServiceScope>
            <ConnectButton />
          </ServiceScope>
          {!direct && (
            <Button kind="primary" onClick={() => setCreates(true)}>
              <Trans>New account…</Trans>
            </Button>
          )}
        </div>
      </div>
      <ServiceScope>
        <AccountList />
      </ServiceScope>
      {creates && <NewAccountDialog close={() => setCreates(false)} />}
    </section>
  )
}

/** Opens the dialog for an API key, which closes with the service that the key is for. */
function ConnectButton() {
  const direct = useDirect()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {direct ? <Trans>Connect key…</Trans> : <Trans>Connect account…</Trans>}
      </Button>
      {isOpen && <ConnectDialog close={() => setOpen(false)} />}
    </>
  )
}

function AccountList() {
  const { data: accounts, failure, refresh } = useAnswer(accountsQuestion)
  const direct = useDirect()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const some = accounts !== undefined && accounts.length > 0
  return (
    <>
      {failure && <FailureNote failure={failure} className={listing.note} onRetry={refresh} />}
      {!accounts && !failure && <Skeleton label={t`Loading accounts…`} />}
      {accounts?.length === 0 && (
        <p className={listing.quiet}>
          {direct ? (
            <Trans>No key yet. Create one at the provider and connect it here.</Trans>
          ) : (
            <Trans>
              No accounts yet. Create one, connect one you have, or restore a backup. Without an account, you
              can pay per request for images, videos, and data.
            </Trans>
          )}
        </p>
      )}
      {some && (
        <ul className={listing.list}>
          {accounts.map((account) => (
            <li key={account.id}>
              <AccountRow account={account} onAct={(act) => setOpen({ act, account })} />
            </li>
          ))}
        </ul>
      )}
      {accounts && (
        <div className={styles.foot}>
          {some && (
            <Button onClick={() => setOpen({ act: 'backup' })}>
              <Trans>Back up…</Trans>
            </Button>
          )}
          <Button onClick={() => setOpen({ act: 'restore' })}>
            <Trans>Restore…</Trans>
          </Button>
          {!direct && accounts.some(({ active }) => active) && (
            <Button onClick={() => setOpen({ act: 'disconnect' })}>
              <Trans>Use without account…</Trans>
            </Button>
          )}
        </div>
      )}
      {open?.act === 'backup' && <BackupDialog close={close} />}
      {open?.act === 'restore' && <RestoreDialog close={close} />}
      {open?.act === 'disconnect' && <DisconnectDialog close={close} />}
      {open?.account && open.act === 'rename' && <RenameDialog account={open.account} close={close} />}
      {open?.account && open.act === 'reveal' && <RevealAccountDialog account={open.account} close={close} />}
      {open?.account && open.act === 'forget' && <ForgetDialog account={open.account} close={close} />}
    </>
  )
}
