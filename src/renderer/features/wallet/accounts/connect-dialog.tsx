import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { useDirect, useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { nameFault } from './account-dialogs.tsx'
import { connectAccount } from './account-store.ts'

const LEAST = 8

/** Keeps an account that exists at the service in use. Its key goes through the door into the vault, and this page keeps nothing of it. */
export function ConnectDialog({ close }: { close: () => void }) {
  const service = useStatus((state) =>
    state.status?.service.kind === 'sandbox' ? undefined : state.status?.service.name,
  )
  const direct = useDirect()
  const [apiKey, setApiKey] = useState('')
  const [creditId, setCreditId] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const short = apiKey.trim().length < LEAST
  const shortId = creditId.trim() !== '' && creditId.trim().length < LEAST
  const wrongName = name.trim() === '' ? undefined : nameFault(name)
  const connect = useAction(async () => {
    await connectAccount({
      apiKey: apiKey.trim(),
      ...(creditId.trim() && { creditId: creditId.trim() }),
      ...(name.trim() && { name: name.trim() }),
    })
    close()
  })
  const submit = () => {
    setTried(true)
    if (!short && !shortId && wrongName === undefined) void connect.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={direct ? t`Connect an API key` : t`Connect an account`}
      says={
        direct
          ? t`Sotto can’t check the key now. The first message shows whether the provider accepts it.`
          : service === undefined
            ? t`Connect an account you already have at the service. It becomes the active account; your other accounts stay saved.`
            : t`Connect an account you already have at ${service}. It becomes the active account; your other accounts stay saved.`
      }
    >
      <Form onSubmit={submit}>
        <Field
          label={t`API key`}
          type="password"
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          maxLength={200}
          autoFocus
          hint={
            direct
              ? t`Saved in Sotto’s vault and sent only to this provider’s enclaves.`
              : t`Saved in Sotto’s vault and sent only to this service.`
          }
          fault={tried && short ? t`An API key has at least 8 characters.` : undefined}
        />
        {!direct && (
          <Field
            label={t`Credit ID (optional)`}
            type="password"
            value={creditId}
            onChange={(event) => setCreditId(event.target.value)}
            maxLength={200}
            hint={t`Lets Sotto manage the account’s API keys and automatic top-up.`}
            fault={tried && shortId ? t`A credit ID has at least 8 characters.` : undefined}
          />
        )}
        <Field
          label={t`Name (optional)`}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={60}
          hint={t`A name for this account in Sotto.`}
          fault={wrongName}
        />
        {connect.failure && <FailureNote failure={connect.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={connect.busy && t`Connecting…`}>
            <Trans>Connect</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
