import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { create } from 'zustand'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { renameConversation } from './chat-store.ts'

/** Loaded on demand, because the first screen doesn't need the validation of its fields. */
const SettingsDialog = lazyComponent(async () => (await import('./conversation-settings.tsx')).SettingsDialog)

const ImageDialog = lazyComponent(async () => (await import('./images/image-dialog.tsx')).ImageDialog)

interface ConversationDialogProps {
  conversation: Conversation
  close: () => void
}

export function RenameDialog({ conversation, close }: ConversationDialogProps) {
  return (
    <NameDialog
      title={t`Rename chat`}
      description={t`The title stays on this computer.`}
      label={t`Title`}
      maximum={200}
      name={conversation.title}
      button={t`Rename`}
      busy={t`Renaming…`}
      save={(title) => renameConversation(conversation.id, title)}
      close={close}
    />
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
