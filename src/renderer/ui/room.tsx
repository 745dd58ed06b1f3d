import type { ReactNode } from 'react'
import styles from './room.module.css'

/** A room that is read from top to bottom. */
export function Room({ title, says, children }: { title: string; says?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.room}>
      <header>
        <h1 className={styles.title}>{title}</h1>
        {says !== undefined && <p className={styles.says}>{says}</p>}
      </header>
      {children}
    </div>
  )
}

export function Section({ title, says, children }: { title: string; says?: ReactNode; children?: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {says !== undefined && <p className={styles.says}>{says}</p>}
      {children !== undefined && <div className={styles.body}>{children}</div>}
    </section>
  )
}
