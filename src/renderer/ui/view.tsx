import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './view.module.css'

/** A page of the window; `wide` if it shows things side by side. */
export function View({
  title,
  description,
  wide = false,
  children,
}: {
  title: string
  description?: ReactNode
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className={classNames(styles.view, wide && styles.wide)}>
      <header>
        <h1>{title}</h1>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </header>
      {children}
    </div>
  )
}

export function Section({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children?: ReactNode
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {description !== undefined && <p className={styles.description}>{description}</p>}
      {children !== undefined && <div className={styles.body}>{children}</div>}
    </section>
  )
}
