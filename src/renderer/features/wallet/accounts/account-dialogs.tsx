import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { accountNameSchema, type ServiceAccount } from '../../../../shared/service-account.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { NameDialog } from '../../../ui/name-dialog.tsx'
import { useDirect } from '../../../ui/status-store.ts'
import { disconnectAccount, forgetAccount, renameAccount } from './account-store.ts'
import styles from './accounts.module.css'

/** The fault of a name as a sentence; undefined if the name is valid. */
export function nameFault(name: string): string | undefined {
  if (accountNameSchema.safeParse(name).success) return undefined
  return name.trim() === '' ? t`Enter a name.` : t`Use up to 40 visible characters.`
}

export function RenameDialog({ account, close }: { account: ServiceAccount; close: () => void }) {
  return (
    <NameDialog
      title={t`Rename ${account.name}`}
      description={t`This name is only used in Sotto. It isn’t sent to the service.`}
      label={t`Name`}
      maximum={60}
      name={account.name}
      faultOf={nameFault}
      button={t`Rename`}
      busy={t`Saving…`}
      save={(name) => renameAccount(account.id, name)}
      close={close}
    />
  )
}

export function ForgetDialog({ account, close }: { account: ServiceAccount; close: () => void }) {
  const direct = useDirect()
  return (
    <ConfirmDialog
      title={t`Remove ${account.name}?`}
      description={
        direct
          ? t`This deletes the API key from the vault. The key stays valid at the provider.`
          : t`This deletes its credentials from the vault. The account and its balance remain at the service for anyone with a copy.`
      }
      kind="danger"
      button={t`Remove`}
      busy={t`Removing…`}
      act={() => forgetAccount(account.id)}
      onClose={close}
    >
      {!account.saved && !direct && (
        <p className={styles.warning}>
          <Trans>
            <strong>As far as Sotto knows, there’s no other copy.</strong> Without one, you lose access to
            this account’s balance for good. The service can’t restore it.
          </Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}

export function DisconnectDialog({ close }: { close: () => void }) {
  return (
    <ConfirmDialog
      title={t`Use Sotto without an account?`}
      description={t`No account will be active. Requests that need one are refused, here and for your tools. Your accounts stay in this list, ready to use again.`}
      kind="primary"
      button={t`Use without account`}
      busy={t`Disconnecting…`}
      act={disconnectAccount}
      onClose={close}
    />
  )
}
