import { useState, type SyntheticEvent } from 'react'
import type { Conversation } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import { currentRoute, go } from '../../ui/route.ts'
import { useAction } from '../../ui/use-action.ts'
import { removeConversation, renameConversation } from './chat-store.ts'

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
    <Dialog open onClose={close} title="Rename the conversation" says="The title is kept on this machine and sent to nobody.">
      <form onSubmit={submit}>
        <Field label="Title" value={title} onChange={(event) => setTitle(event.target.value)} maxLength={200} autoFocus onFocus={(event) => event.target.select()} />
        {rename.failure && <FailureNote failure={rename.failure} />}
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" busy={rename.busy && 'Renaming…'} disabled={!title.trim()}>Rename</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function DeleteDialog({ conversation, close }: ConversationDialogProps) {
  const remove = useAction(async () => {
    await removeConversation(conversation.id)
    if (currentRoute().conversationId === conversation.id) go({ room: 'chat' })
    close()
  })
  return (
    <Dialog open onClose={close} alert title="Delete this conversation?" says={<>“{conversation.title}” and all of its messages are deleted from this machine. This cannot be undone.</>}>
      {remove.failure && <FailureNote failure={remove.failure} />}
      <DialogActions>
        <Button onClick={close} autoFocus>Keep it</Button>
        <Button kind="primary" busy={remove.busy && 'Deleting…'} onClick={() => void remove.run()}>Delete</Button>
      </DialogActions>
    </Dialog>
  )
}
