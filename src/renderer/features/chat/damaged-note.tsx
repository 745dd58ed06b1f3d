import { Trans } from '@lingui/react/macro'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useChat } from './chat-store.ts'
import styles from './chat-view.module.css'

/** In the place of the composer: nothing is added to a record that does not open. */
export function DamagedNote({ conversationId }: { conversationId: string }) {
  const unsent = useChat((state) => state.unsent[conversationId])
  return (
    <div className={styles.damaged}>
      {unsent && <FailureNote failure={unsent} />}
      <p role="note">
        <Trans>
          This chat’s record is damaged. Its title and settings can’t be read, and you can’t continue it.
          Readable messages are shown, and the data on disk was left unchanged. A backup may have the full
          chat.
        </Trans>
      </p>
    </div>
  )
}
