import type { ReactNode } from 'react'
import styles from './hidden.module.css'

/** Text for screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>
}
