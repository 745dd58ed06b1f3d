import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { isReactImeKey } from '../../ui/ime-key.ts'
import { focusOnceShown } from '../../ui/into-view.ts'
import { sendEdited } from './branches.ts'
import { setEdit, useChat } from './chat-store.ts'
import { modelFor } from './choose-model.ts'
import type { ComposerPassagesProps } from './passages/composer-passages.tsx'
import { chosenPassages, usePassages } from './passages/passage-store.ts'
import styles from './question-editor.module.css'

/** For a project with files. */
const ComposerPassages = lazyComponent<ComposerPassagesProps>(
  async () => (await import('./attachments/composer-files.tsx')).ComposerPassages,
)

/** Edits a question. Passages of the project's files are found for the new text. The line below the composer states who will be able to read it. */
export function QuestionEditor({
  message,
  text,
  onClose,
}: {
  message: Message
  text: string
  onClose: () => void
}) {
  const busy = useChat(
    ({ live, sending }) =>
      live[message.conversationId] !== undefined || sending[message.conversationId] === true,
  )
  const area = useRef<HTMLTextAreaElement>(null)
  const begun = useChat(({ begunEdit }) => begunEdit === message.id)
  useEffect(() => {
    if (!begun) return
    useChat.setState({ begunEdit: undefined })
    const element = area.current
    focusOnceShown(element)
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [begun])
  const { conversationId } = message
  const draft = `edit/${message.id}`
  const conversation = useChat(({ conversations }) => conversations?.find(({ id }) => id === conversationId))
  const projectId = conversation?.projectId
  const listed = useChat(({ models, picked, conversations }) => {
    const model = modelFor(models, picked[conversationId], conversation, conversations)
    return models?.find(({ id }) => id === model)
  })
  const passages = usePassages()
  // While passages are found, the person can't see what goes with the message.
  const isBlocked = busy || passages.finding[draft] === true
  const submit = () => {
    const passageIds = chosenPassages(passages, draft, projectId).map(({ id }) => id)
    if (!isBlocked) void sendEdited(message, text, passageIds)
  }
  const pressed = (event: KeyboardEvent) => {
    // Enter and Escape also end the composition of an input method.
    if (isReactImeKey(event)) return
    if (event.key === 'Escape') {
      // The editor handles Escape, so that the key doesn't also stop an arriving reply.
      event.preventDefault()
      onClose()
    }
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    submit()
  }
  return (
    <div className={styles.editor}>
      <textarea
        ref={area}
        className={styles.text}
        value={text}
        rows={3}
        onChange={(event) => setEdit(message.id, event.target.value)}
        onKeyDown={pressed}
        aria-label={t`Edit message`}
        aria-describedby="who-reads"
      />
      {projectId !== undefined && (
        <ComposerPassages draft={draft} projectId={projectId} text={text} model={listed} />
      )}
      <div className={styles.row}>
        <span className={styles.says}>
          <Trans>This is sent as a new branch. The original stays.</Trans>
        </span>
        <Button onClick={onClose} title={t`Esc`}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={submit}
          disabled={isBlocked || (text.trim() === '' && !message.attachments)}
          title={t`Enter`}
        >
          <Trans>Send edit</Trans>
        </Button>
      </div>
    </div>
  )
}
