import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ServiceAccount } from '../../../../shared/service-account.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { HeldSecret } from '../../../ui/held-secret.ts'
import { NewCredentials, type Credentials } from '../../../ui/service/new-credentials.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { nameFault } from './account-dialogs.tsx'
import { createAccount, refreshAccounts } from './account-store.ts'
import styles from './accounts.module.css'

interface NewAccount {
  readonly account: ServiceAccount
  readonly credentials: HeldSecret<Credentials>
}

/** A new account at the service in use, and then its credentials, which are not put away by accident. */
export function NewAccountDialog({ close }: { close: () => void }) {
  const [newAccount, setMade] = useState<NewAccount>()
  const [leaving, setLeaving] = useState(false)
  const done = async () => {
    close()
    await refreshAccounts()
  }
  if (!newAccount)
    return (
      <Dialog
        open
        onClose={close}
        persistent
        title={t`New account`}
        says={t`The service doesn’t ask for a name or an address. The credentials are the only proof that the account is yours.`}
      >
        <NewAccountForm onMade={setMade} close={close} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={() => setLeaving(true)}
      persistent
      wide
      title={t`Credentials for ${newAccount.account.name}`}
      says={t`Sotto saves them in its vault. Save another copy too: if you lose them, you lose the account’s balance.`}
    >
      <NewCredentials
        accountId={newAccount.account.id}
        credentials={newAccount.credentials}
        leaving={leaving}
        done={done}
      />
    </Dialog>
  )
}

function NewAccountForm({ onMade, close }: { onMade: (newAccount: NewAccount) => void; close: () => void }) {
  const memory = useStatus((state) => state.status?.vault.kind === 'memory')
  const [name, setName] = useState('')
  const fault = name.trim() === '' ? undefined : nameFault(name)
  const create = useAction(async () => {
    const { account, credentials } = await createAccount(name.trim())
    onMade({ account, credentials: new HeldSecret(credentials) })
  })
  const submit = () => {
    if (fault === undefined) void create.run()
  }
  return (
    <Form onSubmit={submit}>
      <Field
        label={t`Name (optional)`}
        value={name}
        onChange={(event) => setName(event.target.value)}
        maxLength={60}
        fault={fault}
        hint={t`A name for this account in Sotto. It isn’t sent to the service.`}
        autoFocus
      />
      {memory && (
        <p className={styles.warning}>
          <Trans>
            Sotto can’t save this account yet. When Sotto quits, the account and its balance are lost. Set a
            passphrase in Settings first.
          </Trans>
        </p>
      )}
      {create.failure && <FailureNote failure={create.failure} />}
      <DialogActions>
        <Button onClick={close}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" type="submit" busy={create.busy && t`Creating…`}>
          <Trans>Create account</Trans>
        </Button>
      </DialogActions>
    </Form>
  )
}
