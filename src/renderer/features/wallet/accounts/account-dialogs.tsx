import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { accountNameSchema, type ServiceAccount } from '../../../../shared/service-account.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { disconnectAccount, forgetAccount, renameAccount } from './account-store.ts'
import styles from './accounts.module.css'

/** What is wrong with a name, in words. */
export function nameFault(name: string): string | undefined {
  if (accountNameSchema.safeParse(name).success) return undefined
  return name.trim() === '' ? t`Give it a name.` : t`A name has at most 40 characters, all of them visible.`
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
    <Dialog open onClose={close} title={t`Rename ${account.name}`} says={t`The name stands in this Sotto alone; the service does not hear of it.`}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field label={t`Name`} value={name} onChange={(event) => setName(event.target.value)} maxLength={60} fault={fault} autoFocus />
        {rename.failure && <FailureNote failure={rename.failure} />}
        <DialogActions>
          <Button onClick={close}><Trans>Cancel</Trans></Button>
          <Button kind="primary" type="submit" busy={rename.busy && t`Saving…`}><Trans>Rename</Trans></Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function ForgetDialog({ account, close }: { account: ServiceAccount; close: () => void }) {
  const forget = useAction(async () => {
    await forgetAccount(account.id)
    close()
  })
  return (
    <Dialog open onClose={close} alert title={t`Forget ${account.name}?`} says={account.creditIdMasked === undefined ? t`Its API key is deleted from the vault. The account goes on at the service, with what is on it, for whoever has a copy.` : t`Its API key and credit id are deleted from the vault. The account goes on at the service, with what is on it, for whoever has a copy.`}>
      {!account.saved && <p className={styles.warning}><Trans><strong>No copy was saved anywhere else, as far as Sotto knows.</strong> Without one, nobody can reach the money on this account again, and the service cannot give it back.</Trans></p>}
      {forget.failure && <FailureNote failure={forget.failure} className={styles.note} />}
      <DialogActions>
        <Button onClick={close} autoFocus><Trans>Keep it</Trans></Button>
        <Button kind="primary" busy={forget.busy && t`Forgetting…`} onClick={() => void forget.run()}><Trans>Forget it</Trans></Button>
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
    <Dialog open onClose={close} alert title={t`Use no account?`} says={t`No account is active then: what needs one is refused, here and for tools. All of them stay kept, and can be used again from this list.`}>
      {disconnect.failure && <FailureNote failure={disconnect.failure} className={styles.note} />}
      <DialogActions>
        <Button onClick={close} autoFocus><Trans>Leave it as it is</Trans></Button>
        <Button kind="primary" busy={disconnect.busy && t`Disconnecting…`} onClick={() => void disconnect.run()}><Trans>Use no account</Trans></Button>
      </DialogActions>
    </Dialog>
  )
}
