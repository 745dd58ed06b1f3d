import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ExportEvent } from '../../../shared/library/conversation-file.ts'
import { projectFileName } from '../../../shared/library/project-file-head.ts'
import type { Project } from '../../../shared/project.ts'
import { useSaving } from '../../files/use-saving.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { CheckField } from '../../ui/check-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/field.tsx'
import formStyles from '../../ui/grouped-form.module.css'
import { SavingState } from '../../ui/saving-state.tsx'
import { NewPassphraseFields } from '../../ui/service/new-passphrase-fields.tsx'
import { useNewPassphrase } from '../../ui/service/use-new-passphrase.ts'

/** Saves the project with its files and chats in one file, encrypted unless the person chooses otherwise. */
export function ExportProject({ project, close }: { project: Project; close: () => void }) {
  const [encrypted, setEncrypted] = useState(true)
  const chosen = useNewPassphrase(12)
  const { progress, failure, outcome, save, stop } = useSaving(outcomeOf)
  const submit = async () => {
    if ((encrypted && !chosen.handIn()) || progress) return
    const input = { projectId: project.id, ...(encrypted && { passphrase: chosen.passphrase }) }
    const saved = await save(projectFileName(project.name), 'text/plain', (signal) =>
      api.projects.export(input, { signal }),
    )
    if (saved) chosen.clear()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      title={t`Export project`}
      says={t`The instructions, settings, files and chats in one file. Receipts aren’t included.`}
    >
      <Form className={formStyles.form} onSubmit={() => void submit()}>
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
        <SavingState label={t`File progress`} progress={progress} failure={failure} outcome={outcome} />
        <DialogActions>
          {progress ? (
            <Button onClick={stop}>
              <Trans>Stop</Trans>
            </Button>
          ) : (
            <Button onClick={close}>{outcome ? t({ message: 'Done', context: 'button' }) : t`Cancel`}</Button>
          )}
          <Button kind="primary" type="submit" busy={progress !== undefined && t`Exporting…`}>
            <Trans>Export project</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function outcomeOf({
  conversations,
  unreadable,
  unreadableFiles = 0,
}: Extract<ExportEvent, { type: 'ended' }>): string {
  const saved = plural(conversations, { one: 'Saved # chat.', other: 'Saved # chats.' })
  const missing = unreadable + unreadableFiles
  return missing > 0
    ? `${saved} ${plural(missing, { one: '# part couldn’t be read and isn’t included.', other: '# parts couldn’t be read and aren’t included.' })}`
    : saved
}
