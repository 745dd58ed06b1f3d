import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { accountNameSchema, type ServiceAccount } from '../../../../shared/service-account.ts'
import { Button } from '../../../ui/button.tsx'
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
      <form className={styles.form} onSubmit={submit} noValidate>
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
  const forget = useAction(async () => {
    await forgetAccount(account.id)
    close()
  })
  return (
    <Dialog
      open
      onClose={close}
      alert
      title={t`Remove ${account.name}?`}
      says={
        direct
          ? t`This deletes the API key from the vault. The key stays valid at the provider.`
          : t`This deletes its credentials from the vault. The account and its balance remain at the service for anyone with a copy.`
      }
    >
      {!account.saved && !direct && (
        <p className={styles.warning}>
          <Trans>
            <strong>As far as Sotto knows, there’s no other copy.</strong> Without one, you lose access to
            this account’s balance for good. The service can’t restore it.
          </Trans>
        </p>
      )}
      {forget.failure && <FailureNote failure={forget.failure} className={styles.note} />}
      <DialogActions>
        <Button onClick={close} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="danger" busy={forget.busy && t`Removing…`} onClick={() => void forget.run()}>
          <Trans>Remove</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

export function DisconnectDialog({ close }: { close: () => void }) {
  const disconnect = useAction(async () => {
    await disconnectAccount()
    close()
  })
  return (
    <Dialog
      open
      onClose={close}
      alert
      title={t`Use Sotto without an account?`}
      says={t`No account will be active. Requests that need one are refused, here and for your tools. Your accounts stay in this list, ready to use again.`}
    >
      {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.note} />}
      <DialogActions>
        <Button onClick={close} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          busy={disconnect.busy && t`Disconnecting…`}
          onClick={() => void disconnect.run()}
        >
          <Trans>Use without account</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}
