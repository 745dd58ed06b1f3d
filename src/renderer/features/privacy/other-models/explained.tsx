import type { ReactNode } from 'react'
import styles from './explained.module.css'

/** An option with its explanation below. */
export function explained({ name, means }: { readonly name: string; readonly means: string }): ReactNode {
  return (
    <>
      <span>{name}</span> <span className={styles.means}>{means}</span>
    </>
  )
}
