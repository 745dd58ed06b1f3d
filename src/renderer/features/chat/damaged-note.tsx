import { Trans } from '@lingui/react/macro'
import styles from './chat-room.module.css'

/** In the place of the composer: nothing is added to a record that does not open. */
export function DamagedNote() {
  return <p className={styles.damaged} role="note"><Trans>The record of this conversation is damaged: its title and its settings cannot be read, and it cannot go on. What can be read of its messages is shown, and what is on the disk was left as it is. A backup may have it whole.</Trans></p>
}
