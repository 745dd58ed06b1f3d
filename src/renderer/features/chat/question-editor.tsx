import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import type { Message } from '../../../shared/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { isReactImeKey } from '../../ui/ime-key.ts'
import { sendEdited } from './branches.ts'
import { setEdit, useChat } from './chat-store.ts'
import { focusOnceShown } from './jump.ts'
import styles from './question-editor.module.css'

/** Edits a question. The line below the composer states who will be able to read it. */
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
  useEffect(() => {
    const element = area.current
    focusOnceShown(element)
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const submit = () => {
    if (!busy) void sendEdited(message, text)
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
          disabled={busy || (text.trim() === '' && !message.attachments)}
          title={t`Enter`}
        >
          <Trans>Send edit</Trans>
        </Button>
      </div>
    </div>
  )
}
