import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { accountNameSchema, type ServiceAccount } from '../../../../shared/service-account.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { useDirect } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { disconnectAccount, forgetAccount, renameAccount } from './account-store.ts'
import styles from './accounts.module.css'

/** The fault of a name as a sentence; undefined if the name is valid. */
export function nameFault(name: string): string | undefined {
  if (accountNameSchema.safeParse(name).success) return undefined
  return name.trim() === '' ? t`Enter a name.` : t`Use up to 40 visible characters.`
}

export function RenameDialog({ account, close }: { account: ServiceAccount; close: () => void }) {
  const [name, setName] = useState(account.name)
  const fault = nameFault(name)
  const rename = useAction(async () => {
    await renameAccount(account.id, name.trim())
    close()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (fault === undefined) void rename.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      title={t`Rename ${account.name}`}
      says={t`This name is only used in Sotto. It isn’t sent to the service.`}
    >
      <form onSubmit={submit} noValidate>
        <Field
          label={t`Name`}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={60}
          fault={fault}
          autoFocus
        />
        {rename.failure && <FailureNote failure={rename.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={rename.busy && t`Saving…`}>
            <Trans>Rename</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
