import { t } from '@lingui/core/macro'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { createKey, revokeKey, rotateFirstKey, updateKey, useLocalAccess } from '../local-api-store.ts'
import { draftOf, type KeyDraft } from '../../../ui/keys/key-draft.ts'
import { KeyForm, type SaveKey } from '../../../ui/keys/key-form.tsx'
import { KeyServerTools } from './key-server-tools.tsx'

/** A new key with suggested limits, for a page that shows the secret itself. */
export function CreateKeyDialog({
  draft,
  close,
  onCreated,
}: {
  draft: KeyDraft
  close: () => void
  onCreated: (key: LocalKeyView) => void
}) {
  const models = useLocalAccess().data?.models
  const create: SaveKey = async (name, limits) => {
    onCreated(await createKey(name, limits))
    close()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      wide
      title={t`New key`}
      says={t`One key per tool lets you limit, monitor, and revoke each one separately.`}
    >
      <KeyForm
        draft={draft}
        forPages
        models={models}
        serverTools={KeyServerTools}
        does={t`Create key`}
        doing={t`Creating…`}
        onSave={create}
        onCancel={close}
      />
    </Dialog>
  )
}

export function EditKeyDialog({ localKey, close }: { localKey: LocalKeyView; close: () => void }) {
  const models = useLocalAccess().data?.models
  const update: SaveKey = async (name, limits) => {
    await updateKey(localKey.id, { name, limits })
    close()
  }
  return (
    <Dialog
      open
      onClose={close}
      persistent
      wide
      title={t`Edit ${localKey.name}`}
      says={t`Changes apply from the next request. To let a key do more, confirm in the system dialog or your terminal.`}
    >
      <KeyForm
        draft={draftOf(localKey)}
        forPages={!localKey.first}
        models={models}
        serverTools={KeyServerTools}
        does={t`Save`}
        doing={t`Saving…`}
        onSave={update}
        onCancel={close}
      />
    </Dialog>
  )
}

export function RevokeDialog({ localKey, close }: { localKey: LocalKeyView; close: () => void }) {
  return (
    <ConfirmDialog
      title={t`Revoke ${localKey.name}?`}
      description={t`It stops working immediately, even for requests in progress. This can’t be undone. Its past requests stay in the request list.`}
      kind="danger"
      button={t`Revoke`}
      busy={t`Revoking…`}
      act={() => revokeKey(localKey.id)}
      onClose={close}
    />
  )
}

export function RotateDialog({ close }: { close: () => void }) {
  return (
    <ConfirmDialog
      title={t`Rotate the first key?`}
      description={t`The key gets a new secret. Tools that use the old one stop working until you give them the new one.`}
      kind="primary"
      button={t`Rotate`}
      busy={t`Rotating…`}
      act={rotateFirstKey}
      onClose={close}
    />
  )
}
