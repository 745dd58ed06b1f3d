import { create } from 'zustand'
import styles from './hidden.module.css'

const useAnnouncement = create<{ readonly text: string; readonly turn: number }>()(() => ({
  text: '',
  turn: 0,
}))

/** Announces a text when the screen reader has finished the former one. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }))
}

export function Announcer() {
  const { text, turn } = useAnnouncement()
  return (
    <div className={styles.hidden} role="status" aria-live="polite" data-testid="announcer">
      {/* A new key each time, so that a repeated text is announced again. */}
      <span key={turn}>{text}</span>
    </div>
  )
}
