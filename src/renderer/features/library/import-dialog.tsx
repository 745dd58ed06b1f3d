import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import form from './dialog-form.module.css'
import styles from './import-dialog.module.css'
import { ImportState } from './import-state.tsx'
import { useImport } from './use-import.ts'

interface ImportDialogProps {
  onTaken: () => void
  close: () => void
}

export function ImportDialog({ onTaken, close }: ImportDialogProps) {
  const [file, setFile] = useState<File>()
  const [tried, setTried] = useState(false)
  const { progress, failure, outcome, run, stop, clear } = useImport(onTaken)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    clear()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (file && !progress && !outcome)
      void run(file, () => api.library.importBegin(), 'library/not-conversations')
  }
  return (
    <Dialog
      open
      onClose={close}
      kept={progress !== undefined}
      title={t`Import chats`}
      says={t`Choose conversations.json from a ChatGPT or Claude export ZIP, an Open WebUI export, or a JSON file saved by Sotto. Import stays on this computer.`}
    >
      <form className={form.form} onSubmit={submit} noValidate>
        <Field
          label={t`File`}
          type="file"
          accept=".json,application/json"
          disabled={progress !== undefined}
          onChange={({ target: { files } }) => choose(files?.[0])}
          fault={tried && !file ? t`Choose a file.` : undefined}
        />
        <p className={styles.note}>
          <Trans>
            Imported chats weren’t sent from Sotto, so they’re never shown as Private and have no receipts.
          </Trans>
        </p>
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
            <Button kind="primary" type="submit" busy={progress !== undefined && t`Importing…`}>
              <Trans>Import</Trans>
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}
