import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { isPlainProjectFile } from '../../../shared/library/project-file-head.ts'
import { sendFile } from '../../files/send-file.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { DropZone } from '../../ui/drop-zone.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import formStyles from '../../ui/grouped-form.module.css'
import { loadProjects } from '../../ui/project-store.ts'
import { go } from '../../ui/route.ts'
import { useAction } from '../../ui/use-action.ts'

interface ChosenFile {
  readonly file: File
  readonly plain: boolean
}

/** Imports the file of a project as a new project, and shows it. */
export function ImportProject({ onImported, close }: { onImported: () => void; close: () => void }) {
  const [chosen, setChosen] = useState<ChosenFile>()
  const [passphrase, setPassphrase] = useState('')
  const [tried, setTried] = useState(false)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const importing = useAction(async () => {
    if (!chosen) return
    stop.current = new AbortController()
    const { projectId } = await sendFile(
      chosen.file,
      () => api.projects.importBegin(chosen.plain ? {} : { passphrase }),
      'project/file-invalid',
      stop.current.signal,
      () => undefined,
    )
    await loadProjects()
    onImported()
    if (stop.current.signal.aborted || projectId === undefined) return
    close()
    go({ view: 'projects', part: projectId })
  })
  const choose = useAction(async (file: File | undefined) => {
    importing.clear()
    setChosen(file && { file, plain: isPlainProjectFile(await file.slice(0, 1_000).text()) })
  })
  const missesPassphrase = chosen?.plain === false && passphrase === ''
  const submit = () => {
    setTried(true)
    if (chosen && !missesPassphrase) void importing.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Import project`}
      says={t`Adds a new project. Existing projects don’t change.`}
    >
      <Form className={formStyles.form} onSubmit={submit}>
        <DropZone
          label={t`Project file`}
          disabled={importing.busy}
          onFiles={([file]) => void choose.run(file)}
          names={chosen ? [chosen.file.name] : []}
          fault={tried && !chosen ? t`Choose a project file saved by Sotto.` : undefined}
        />
        {chosen?.plain === false && (
          <Field
            label={t`Passphrase`}
            type="password"
            autoComplete="off"
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
            maxLength={1000}
            fault={
              tried && missesPassphrase ? t`Enter the passphrase that was chosen for this file.` : undefined
            }
          />
        )}
        {choose.failure && <FailureNote failure={choose.failure} />}
        {importing.failure && <FailureNote failure={importing.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={importing.busy && t`Importing…`}>
            <Trans>Import</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
