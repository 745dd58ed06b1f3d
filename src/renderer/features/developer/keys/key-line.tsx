import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import styles from './key-line.module.css'

interface KeyLineProps {
  name: string
  /** States in a word each, such as that the key is revoked. */
  tags: readonly string[]
  /** Below the name: the part of the secret that can be shown. */
  secret?: ReactNode
  worksAt: string
  budget: ReactNode
  limits: ReactNode
  used: ReactNode
  /** Empty if nothing can be done with the key anymore. */
  actions: readonly MenuItem[]
}

/** A key of either kind. A wide list shows it as a row of a table, a narrow one as a card with labels. */
export function KeyLine({ name, tags, secret, worksAt, budget, limits, used, actions }: KeyLineProps) {
  return (
    <article className={styles.key} aria-label={name}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        {tags.map((tag) => (
          <span key={tag} className={styles.tag}>
            {tag}
          </span>
        ))}
        {secret}
      </header>
      <div className={styles.menu}>
        {actions.length > 0 && <Menu label={t`Actions for ${name}`} items={actions} />}
      </div>
      <Cell label={t`Works at`}>{worksAt}</Cell>
      <Cell label={t`Budget`}>{budget}</Cell>
      <Cell label={t`Limits`}>{limits}</Cell>
      <Cell label={t`Last used`}>{used}</Cell>
    </article>
  )
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.cell}>
      <span className={styles.label}>{label}</span>
      <div className={styles.value}>{children}</div>
    </div>
  )
}

/** The names of the columns, for the eye: every cell has its own label. */
export function KeyColumns() {
  return (
    <div className={styles.columns} aria-hidden>
      <span>{t`Name`}</span>
      <span>{t`Works at`}</span>
      <span>{t`Budget`}</span>
      <span>{t`Limits`}</span>
      <span>{t`Last used`}</span>
      <span />
    </div>
  )
}

/** How much of a budget is used, for the eye: the cell has the same in words. `spent` and `reserved` are percentages. */
export function BudgetBar({ spent, reserved = 0 }: { spent: number; reserved?: number }) {
  return (
    <div className={styles.bar} aria-hidden>
      <span className={styles.spent} style={{ width: `${spent}%` }} />
      <span className={styles.reserved} style={{ width: `${reserved}%` }} />
    </div>
  )
}
