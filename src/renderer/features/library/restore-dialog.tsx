import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { Field } from '../../ui/field.tsx'
import { ImportState } from './import-state.tsx'
import { useImport } from './use-import.ts'

interface RestoreDialogProps {
  onTaken: () => void
  close: () => void
}

export function RestoreDialog({ onTaken, close }: RestoreDialogProps) {
  const [file, setFile] = useState<File>()
  const [passphrase, setPassphrase] = useState('')
  const [tried, setTried] = useState(false)
  const { progress, failure, outcome, run, stop, clear } = useImport(onTaken)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    clear()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (file && passphrase !== '' && !progress && !outcome)
      void run(file, () => api.library.restoreBegin({ passphrase }), 'library/backup-invalid')
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Restore chats`}
      says={t`Adds the chats and receipts from a backup. Existing chats don’t change.`}
    >
      <form onSubmit={submit} noValidate>
        <DropZone
          label={t`Backup file`}
          disabled={progress !== undefined}
          onFiles={([chosen]) => choose(chosen)}
          names={file ? [file.name] : []}
          fault={tried && !file ? t`Choose a backup file saved by Sotto.` : undefined}
        />
        <Field
          label={t`Backup passphrase`}
          type="password"
          autoComplete="off"
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
          maxLength={1000}
          fault={
            tried && passphrase === '' ? t`Enter the passphrase that was chosen for this backup.` : undefined
          }
        />
        <ImportState progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? (
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <Button onClick={close}>{outcome ? t({ message: 'Done', context: 'button' }) : t`Cancel`}</Button>
          )}
          {!outcome && (
            <Button kind="primary" type="submit" busy={progress !== undefined && t`Restoring…`}>
              <Trans>Restore</Trans>
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
