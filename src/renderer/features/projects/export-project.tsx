import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { projectFileName } from '../../../shared/library/project-file-head.ts'
import type { Project } from '../../../shared/project.ts'
import { readExport } from '../../files/read-export.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import formStyles from '../../ui/grouped-form.module.css'
import { saveBlob } from '../../ui/save-file.ts'
import { NewPassphraseFields } from '../../ui/service/new-passphrase-fields.tsx'
import { useNewPassphrase } from '../../ui/service/use-new-passphrase.ts'
import { useAction } from '../../ui/use-action.ts'

/** Saves the project with its files and chats in one file, encrypted unless the person chooses otherwise. */
export function ExportProject({ project, close }: { project: Project; close: () => void }) {
  const [encrypted, setEncrypted] = useState(true)
  const chosen = useNewPassphrase(12)
  const [outcome, setOutcome] = useState('')
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const saving = useAction(async () => {
    setOutcome('')
    stop.current = new AbortController()
    const { signal } = stop.current
    const { parts, conversations, unreadable, unreadableFiles } = await readExport(
      await api.projects.export(
        { projectId: project.id, ...(encrypted && { passphrase: chosen.passphrase }) },
        { signal },
      ),
      signal,
      () => undefined,
    )
    saveBlob(projectFileName(project.name), new Blob(parts, { type: 'text/plain' }))
    chosen.clear()
    const saved = plural(conversations, { one: 'Saved # chat.', other: 'Saved # chats.' })
    const missing = unreadable + unreadableFiles
    const message =
      missing > 0
        ? `${saved} ${plural(missing, { one: '# part couldn’t be read and isn’t included.', other: '# parts couldn’t be read and aren’t included.' })}`
        : saved
    setOutcome(message)
    announce(message)
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!encrypted || chosen.handIn()) void saving.run()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Export project`}
      says={t`The instructions, settings, files and chats in one file. Receipts aren’t included.`}
    >
      <form className={formStyles.form} onSubmit={submit} noValidate>
        <CheckField label={t`Encrypt with a passphrase`} checked={encrypted} onTick={setEncrypted} />
        {encrypted ? (
          <NewPassphraseFields
            chosen={chosen}
            label={t`Passphrase`}
            hint={t`At least 12 characters; several words are better. Without it, the file can’t be opened.`}
          />
        ) : (
          <p role="alert">
            <Trans>The file isn’t encrypted. Everyone who has it can read the project.</Trans>
          </p>
        )}
        {outcome !== '' && <p>{outcome}</p>}
        {saving.failure && <FailureNote failure={saving.failure} />}
        <DialogActions>
          <Button onClick={close}>{outcome ? t({ message: 'Done', context: 'button' }) : t`Cancel`}</Button>
          <Button kind="primary" type="submit" busy={saving.busy && t`Exporting…`}>
            <Trans>Export project</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
