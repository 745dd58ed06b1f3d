import { create } from 'zustand'
import styles from './hidden.module.css'

const useAnnouncement = create<{ readonly text: string }>()(() => ({ text: '' }))

/** Says something to a screen reader when it has finished what it is saying. */
export function announce(text: string): void {
  useAnnouncement.setState({ text })
}

export function Announcer() {
  const text = useAnnouncement((state) => state.text)
  return <div className={styles.hidden} role="status" aria-live="polite" data-testid="announcer">{text}</div>
}
