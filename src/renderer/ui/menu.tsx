import { Ellipsis } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './menu.module.css'

export interface MenuItem {
  readonly name: string
  readonly choose: () => void
  /** Whether it deletes something. */
  readonly danger?: true
}

interface MenuProps {
  label: string
  items: readonly MenuItem[]
  className?: string | undefined
  /** The edge of the button that the menu keeps to. */
  align?: 'start' | 'end'
  /** In the place of three dots. */
  sign?: ReactNode
  /** Before its items are shown. */
  onOpen?: () => void
}

/** The further actions of something, behind three dots. */
export function Menu({
  label,
  items,
  className,
  sign = <Ellipsis size={16} strokeWidth={1.75} aria-hidden />,
  align = 'end',
  onOpen,
}: MenuProps) {
  return (
    <Radix.Root
      modal={false}
      onOpenChange={(open) => {
        if (open) onOpen?.()
      }}
    >
      <Radix.Trigger asChild>
        <IconButton label={label} className={className}>
          {sign}
        </IconButton>
      </Radix.Trigger>
      <Radix.Portal>
        {/* The menu is outside of the page's landmarks, so it is one itself. */}
        <div role="region" aria-label={label}>
          <Radix.Content className={styles.menu} align={align} sideOffset={2}>
            {items.map(({ name, choose, danger }) => (
              <Radix.Item
                key={name}
                className={classNames(styles.item, danger && styles.danger)}
                onSelect={choose}
              >
                {name}
              </Radix.Item>
            ))}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}
