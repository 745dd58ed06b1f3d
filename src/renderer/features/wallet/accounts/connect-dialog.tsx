import { useState, type SyntheticEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { nameFault } from './account-dialogs.tsx'
import { connectAccount } from './account-store.ts'
import styles from './accounts.module.css'

const LEAST = 8

/** Keeps an account that exists at the service in use. Its key goes through the door into the vault, and this page keeps nothing of it. */
export function ConnectDialog({ close }: { close: () => void }) {
  const service = useStatus((state) => state.status?.service.name)
  const [apiKey, setApiKey] = useState('')
  const [creditId, setCreditId] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const short = apiKey.trim().length < LEAST
  const shortId = creditId.trim() !== '' && creditId.trim().length < LEAST
  const wrongName = name.trim() === '' ? undefined : nameFault(name)
  const connect = useAction(async () => {
    await connectAccount({ apiKey: apiKey.trim(), ...(creditId.trim() && { creditId: creditId.trim() }), ...(name.trim() && { name: name.trim() }) })
    close()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (!short && !shortId && wrongName === undefined) void connect.run()
  }
  return (
    <Dialog open onClose={close} kept title="Connect an account" says={`One that you have at ${service ?? 'the service'} already. It becomes the active one; the others stay kept.`}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field label="API key" type="password" value={apiKey} onChange={(event) => setApiKey(event.target.value)} maxLength={200} autoFocus hint="It goes into Sotto’s vault and to this service, and nowhere else." fault={tried && short ? 'A key has at least eight characters.' : undefined} />
        <Field label="Credit id (optional)" type="password" value={creditId} onChange={(event) => setCreditId(event.target.value)} maxLength={200} hint="Lets Sotto manage the account’s keys and its automatic topup." fault={tried && shortId ? 'A credit id has at least eight characters.' : undefined} />
        <Field label="Name (optional)" value={name} onChange={(event) => setName(event.target.value)} maxLength={60} hint="What to call it here." fault={wrongName} />
        {connect.failure && <FailureNote failure={connect.failure} />}
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" busy={connect.busy && 'Connecting…'}>Connect</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
