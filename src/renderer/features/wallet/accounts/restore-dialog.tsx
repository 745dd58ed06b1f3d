import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { DropZone } from '../../../ui/drop-zone.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { WindowError } from '../../../ui/failure.ts'
import { useAction } from '../../../ui/use-action.ts'
import { restoreAccounts } from './account-store.ts'

/** The UI server accepts no larger backup. */
const MOST_BYTES = 1024 * 1024

/** Brings back the accounts of a backup. */
export function RestoreDialog({ close }: { close: () => void }) {
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [tried, setTried] = useState(false)
  const [added, setAdded] = useState<number>()
  const restore = useAction(async () => {
    if (!file) return
    if (file.size > MOST_BYTES) throw new WindowError('account/backup-invalid')
    setAdded(await restoreAccounts(await file.text(), passphrase))
    setPassphrase('')
  })
  const submit = () => {
    setTried(true)
    if (file && passphrase !== '') void restore.run()
  }
  if (added !== undefined) {
    return (
      <Dialog
        open
        onClose={close}
        title={t`Restore complete`}
        says={
          added === 0
            ? t`All accounts in this backup are already in Sotto.`
            : plural(added, {
                one: 'One account added. Choose it from the list to use it.',
                other: '# accounts added. Choose one from the list to use it.',
              })
        }
      >
        <DialogActions>
          <Button kind="primary" onClick={close} autoFocus>
            <Trans context="button">Done</Trans>
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Restore accounts`}
      says={t`Adds the accounts from a backup. Existing accounts and the active account don’t change.`}
    >
      <Form onSubmit={submit}>
        <DropZone
          label={t`Backup file`}
          accept=".json,application/json"
          onFiles={([chosen]) => setFile(chosen)}
          names={file ? [file.name] : []}
          fault={tried && !file ? t`Choose a backup file saved by Sotto.` : undefined}
        />
        <Field
          label={t`Backup passphrase`}
          type="password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
          maxLength={1000}
          fault={
            tried && passphrase === '' ? t`Enter the passphrase that was chosen for this backup.` : undefined
          }
        />
        {restore.failure && <FailureNote failure={restore.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={restore.busy && t`Restoring…`}>
            <Trans>Restore</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
