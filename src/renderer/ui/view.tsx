import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './view.module.css'

/** A room that is read from top to bottom; `wide` where it shows things side by side. */
export function View({
  title,
  says,
  wide = false,
  children,
}: {
  title: string
  says?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className={classNames(styles.room, wide && styles.wide)}>
      <header>
        <h1 className={styles.title}>{title}</h1>
        {says !== undefined && <p className={styles.says}>{says}</p>}
      </header>
      {children}
    </div>
  )
}

export function Section({
  title,
  says,
  children,
}: {
  title: string
  says?: ReactNode
  children?: ReactNode
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {says !== undefined && <p className={styles.says}>{says}</p>}
      {children !== undefined && <div className={styles.body}>{children}</div>}
    </section>
  )
}
