import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import form from './dialog-form.module.css'
import styles from './import-dialog.module.css'
import { TakingInState } from './taking-in-state.tsx'
import { useTakingIn } from './use-taking-in.ts'

interface ImportDialogProps {
  onTaken: () => void
  close: () => void
}

export function ImportDialog({ onTaken, close }: ImportDialogProps) {
  const [file, setFile] = useState<File>()
  const [tried, setTried] = useState(false)
  const { progress, failure, outcome, run, stop, clear } = useTakingIn(onTaken)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    clear()
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setTried(true)
    if (file && !progress && !outcome) void run(file, () => api.library.importBegin(), 'library/not-conversations')
  }
  return (
    <Dialog
      open
      onClose={close}
      kept={progress !== undefined}
      title={t`Import conversations`}
      says={t`From the export of ChatGPT or Claude (conversations.json, out of the ZIP file), of Open WebUI, or a JSON file that Sotto saved. It is read on this machine and sent to nobody.`}
    >
      <form className={form.form} onSubmit={submit} noValidate>
        <Field label={t`File`} type="file" accept=".json,application/json" disabled={progress !== undefined} onChange={({ target: { files } }) => choose(files?.[0])} fault={tried && !file ? t`Choose the file.` : undefined} />
        <p className={styles.note}><Trans>What is imported was not sent from here: it is never shown as sealed and has no receipts.</Trans></p>
        <TakingInState progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? <Button onClick={stop}><Trans>Stop</Trans></Button> : <Button onClick={close}>{outcome ? t`Done` : t`Cancel`}</Button>}
          {!outcome && <Button kind="primary" type="submit" busy={progress !== undefined && t`Importing…`}><Trans>Import</Trans></Button>}
        </DialogActions>
      </form>
    </Dialog>
  )
}
