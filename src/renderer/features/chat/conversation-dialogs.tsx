import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState, type SyntheticEvent } from 'react'
import { create } from 'zustand'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { useAction } from '../../ui/use-action.ts'
import { renameConversation } from './chat-store.ts'

/** Loaded on demand, because the first screen doesn't need the validation of its fields. */
const SettingsDialog = lazyComponent(async () => (await import('./conversation-settings.tsx')).SettingsDialog)

const ImageDialog = lazyComponent(async () => (await import('./images/image-dialog.tsx')).ImageDialog)

interface ConversationDialogProps {
  conversation: Conversation
  close: () => void
}

export function RenameDialog({ conversation, close }: ConversationDialogProps) {
  const [title, setTitle] = useState(conversation.title)
  const rename = useAction(async () => {
    await renameConversation(conversation.id, title.trim())
    close()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (title.trim()) void rename.run()
  }
  return (
    <Dialog open onClose={close} title={t`Rename chat`} says={t`The title stays on this computer.`}>
      <form onSubmit={submit}>
        <Field
          label={t`Title`}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          maxLength={200}
          autoFocus
          onFocus={(event) => event.target.select()}
        />
        {rename.failure && <FailureNote failure={rename.failure} />}
        <DialogActions>
          <Button onClick={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" type="submit" busy={rename.busy && t`Renaming…`} disabled={!title.trim()}>
            <Trans>Rename</Trans>
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Dialogs = 'rename' | 'settings' | 'image'

/** A prompt of the conversation that gets another image. */
export interface ImagePrompt {
  readonly question: Message
  readonly model: string | undefined
}

interface DialogState {
  readonly open: Dialogs | undefined
  readonly again: ImagePrompt | undefined
}

const useDialog = create<DialogState>()(() => ({ open: undefined, again: undefined }))

/** Opens a dialog about the open conversation. */
export function openDialog(open: Dialogs): void {
  useDialog.setState({ open, again: undefined })
}

/** Opens the dialog that creates another image for the same prompt, or a changed one. */
export function createAgain(again: ImagePrompt): void {
  useDialog.setState({ open: 'image', again })
}

function closeDialog(): void {
  useDialog.setState({ open: undefined, again: undefined })
}

export function OpenDialog({ conversation }: { conversation: Conversation | undefined }) {
  const { open, again } = useDialog()
  useEffect(() => closeDialog, [])
  if (open === 'settings') return <SettingsDialog conversation={conversation} close={closeDialog} />
  if (open === 'image') return <ImageDialog conversation={conversation} again={again} close={closeDialog} />
  return open === 'rename' && conversation ? (
    <RenameDialog conversation={conversation} close={closeDialog} />
  ) : null
}
