import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { SelectField } from '../../ui/select.tsx'
import { useAction } from '../../ui/use-action.ts'
import {
  askAboutFolder,
  createFolder,
  moveConversation,
  renameFolder,
  useFolders,
  type FolderQuestion,
} from './folder-store.ts'

const close = () => askAboutFolder(undefined)

const MAX_NAME = 100

const folderName = () => ({ label: t`Folder name`, maximum: MAX_NAME, busy: t`Saving…`, close })

/** The dialogs about folders. */
export function FolderDialogs({ asking }: { asking: FolderQuestion }) {
  switch (asking.about) {
    case 'new':
      return (
        <NameDialog
          title={t`New folder`}
          description={t`Move chats here from their menu, or drag them in.`}
          button={t`Create`}
          save={createFolder}
          {...folderName()}
        />
      )
    case 'rename':
      return (
        <NameDialog
          title={t`Rename folder`}
          description={t`The name stays on this computer.`}
          button={t`Rename`}
          name={asking.folder.name}
          save={(name) => renameFolder(asking.folder.id, name)}
          {...folderName()}
        />
      )
    case 'move':
      return <MoveDialog {...asking} />
  }
}

const NONE = ''
const ANOTHER = 'new'

function MoveDialog({ conversationId, title, folderId }: Extract<FolderQuestion, { about: 'move' }>) {
  const folders = useFolders((state) => state.folders) ?? []
  const [chosen, setChosen] = useState(
    folders.some(({ id }) => id === folderId) ? (folderId ?? NONE) : folders.length === 0 ? ANOTHER : NONE,
  )
  const [name, setName] = useState('')
  const moving = useAction(async () => {
    const target = chosen === ANOTHER ? (await createFolder(name.trim())).id : chosen
    await moveConversation(conversationId, target === NONE ? null : target)
    close()
  })
  const ready = chosen !== ANOTHER || name.trim() !== ''
  const submit = () => {
    if (ready) void moving.run()
  }
  return (
    <Dialog open onClose={close} title={t`Move to folder`} says={title}>
      <Form onSubmit={submit}>
        <SelectField label={t`Folder`} value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value={NONE}>{t({ message: 'None', context: 'folder' })}</option>
          {folders
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name: known }) => (
              <option key={id} value={id}>
                {known}
              </option>
            ))}
          <option value={ANOTHER}>{t`New folder…`}</option>
        </SelectField>
        {chosen === ANOTHER && (
          <Field
            label={t`Folder name`}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={MAX_NAME}
            autoFocus
            onFocus={(event) => event.target.select()}
          />
        )}
        {moving.failure && <FailureNote failure={moving.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={moving.busy && t`Moving…`} disabled={!ready}>
            <Trans>Move</Trans>
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
