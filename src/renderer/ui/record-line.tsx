import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Menu, type MenuItem } from './menu.tsx'
import styles from './record-line.module.css'

interface RecordTableProps {
  /** The names of the columns. Each cell repeats its own for screen readers and in cards. */
  columns: readonly string[]
  /** Sets `--columns`, the widths of the columns. */
  className: string | undefined
  /** Items of a list, each with a RecordLine. */
  children: ReactNode
}

/** A list of records. A wide one is a table, a narrow one has cards with labels. */
export function RecordTable({ columns, className, children }: RecordTableProps) {
  return (
    <div className={classNames(styles.table, className)}>
      <div className={styles.columns} aria-hidden>
        {columns.map((column) => (
          <span key={column}>{column}</span>
        ))}
        <span />
      </div>
      <ul className={styles.list}>{children}</ul>
    </div>
  )
}

interface RecordLineProps {
  name: string
  /** States in a word each, such as that a key is revoked. */
  tags?: readonly string[]
  /** Below the name. */
  detail?: ReactNode
  /** In the order of the columns after the name. */
  cells: readonly { readonly label: string; readonly content: ReactNode }[]
  /** Empty if nothing can be done with the record. */
  actions: readonly MenuItem[]
}

/** One record of a RecordTable. */
export function RecordLine({ name, tags = [], detail, cells, actions }: RecordLineProps) {
  return (
    <article className={styles.record} aria-label={name}>
      <header className={styles.head}>
        <h2 className={styles.name} dir="auto">
          {name}
        </h2>
        {tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
        {detail}
      </header>
      <div className={styles.menu}>
        {actions.length > 0 && <Menu label={t`Actions for ${name}`} items={actions} />}
      </div>
      {cells.map(({ label, content }) => (
        <div key={label} className={styles.cell}>
          <span className={styles.label}>{label}</span>
          <div className={styles.value}>{content}</div>
        </div>
      ))}
    </article>
  )
}
