import { create } from 'zustand'
import styles from './hidden.module.css'

const useAnnouncement = create<{ readonly text: string; readonly turn: number }>()(() => ({
  text: '',
  turn: 0,
}))

/** Says something to a screen reader when it has finished what it is saying. */
export function announce(text: string): void {
  useAnnouncement.setState(({ turn }) => ({ text, turn: turn + 1 }))
}

export function Announcer() {
  const { text, turn } = useAnnouncement()
  return (
    <div className={styles.hidden} role="status" aria-live="polite" data-testid="announcer">
      {/* Anew each time: the same words twice are said twice. */}
      <span key={turn}>{text}</span>
    </div>
  )
}
