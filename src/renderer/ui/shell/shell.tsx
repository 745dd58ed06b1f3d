import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Menu } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useState, type ReactNode } from 'react'
import { IconButton } from '../button.tsx'
import { useRoute } from '../route.ts'
import { Sidebar } from './sidebar.tsx'
import { viewNames } from './views.tsx'
import styles from './shell.module.css'

interface ShellProps {
  /** What the room lists beside itself. On a narrow screen it is in the menu, below the rooms. */
  aside?: ReactNode
  children: ReactNode
}

/** The rail, what the room lists, and the room. */
export function Shell({ aside, children }: ShellProps) {
  const { room } = useRoute()
  const title = `${viewNames[room]} · Sotto`
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
      >
        <Trans>Skip to content</Trans>
      </a>
      <div className={styles.rail}>
        <Sidebar />
      </div>
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      <div className={styles.room}>
        <header className={styles.bar}>
          <ViewMenu>{aside}</ViewMenu>
          <span className={styles.barName}>{viewNames[room]}</span>
        </header>
        <main id="main" className={styles.main} tabIndex={-1} aria-label={viewNames[room]}>
          {children}
        </main>
      </div>
    </div>
  )
}

/** On a narrow screen: the rail and the list, over the room. It closes when a place is chosen in it. */
function ViewMenu({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const close = () => setOpen(false)
    addEventListener('hashchange', close)
    return () => removeEventListener('hashchange', close)
  }, [])
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>
        <IconButton label={t`Menu`}>
          <Menu size={18} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </Radix.Trigger>
      <Radix.Portal>
        <div className={styles.shade}>
          <Radix.Content className={styles.sheet} aria-describedby={undefined}>
            <Radix.Title className={styles.sheetTitle}>
              <Trans>Menu</Trans>
            </Radix.Title>
            <Sidebar roomy>{children}</Sidebar>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}
