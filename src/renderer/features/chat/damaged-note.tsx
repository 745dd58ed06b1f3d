import { Trans } from '@lingui/react/macro'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useChat } from './chat-store.ts'
import styles from './chat-room.module.css'

/** In the place of the composer: nothing is added to a record that does not open. */
export function DamagedNote({ conversationId }: { conversationId: string }) {
  const unsent = useChat((state) => state.unsent[conversationId])
  return (
    <div className={styles.damaged}>
      {unsent && <FailureNote failure={unsent} />}
      <p role="note"><Trans>The record of this conversation is damaged: its title and its settings cannot be read, and it cannot go on. What can be read of its messages is shown, and what is on the disk was left as it is. A backup may have it whole.</Trans></p>
    </div>
  )
}
