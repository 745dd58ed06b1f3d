import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './empty-state.module.css'

export interface EmptyStateProps {
  /** In about four words. */
  title: ReactNode
  /** One sentence on what appears here. */
  description?: ReactNode
  icon?: LucideIcon
  /** Within a list or a panel: without the space around it. */
  compact?: boolean
  /** The next step: at most one or two buttons. */
  children?: ReactNode
}

/** What a place shows when it has nothing to list. */
export function EmptyState({ title, description, icon: Icon, compact = false, children }: EmptyStateProps) {
  return (
    <div className={classNames(styles.empty, compact && styles.compact)}>
      {Icon && <Icon size={40} strokeWidth={1.1} aria-hidden />}
      <p className={styles.title}>{title}</p>
      {description !== undefined && <p>{description}</p>}
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
