import { Trans } from '@lingui/react/macro'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, type ReactNode } from 'react'
import { useDialogStack } from '../dialog-stack.ts'
import hidden from '../hidden.module.css'
import { usePreferences } from '../preferences.ts'
import { useProject } from '../project-store.ts'
import { useRoute } from '../route.ts'
import { useShortcut } from '../use-shortcut.ts'
import styles from './shell.module.css'
import { SidebarPane } from './sidebar-pane.tsx'
import { BottomBar, Sidebar } from './sidebar.tsx'
import { showSidebarOverlay, TitleBar, toggleSidebar, useSidebarOverlay } from './title-bar.tsx'
import { viewNames } from './views.tsx'
import { showWindowTitle, windowTitle } from './window-title.ts'

interface ShellProps {
  /** The title of the open chat. */
  title: string | undefined
  /** The list of chats. */
  list: ReactNode
  /** Its place is below the view. */
  below: ReactNode
  children: ReactNode
}

/** The frame around every view: the sidebar, the title bar and the view. */
export function Shell({ title: chatTitle, list, below, children }: ShellProps) {
  const { view, part } = useRoute()
  // The small window of the desktop app has no room for either.
  const quick = window.desktop?.quick === true
  const open = usePreferences(({ sidebar }) => sidebar === 'open') && !quick
  const project = useProject(view === 'projects' ? part : undefined)
  const name = view === 'chat' ? chatTitle : project?.name
  const title = windowTitle({ view, name, isDesktop: window.desktop !== undefined })
  useEffect(() => showWindowTitle(title), [title])
  useShortcut('sidebar', toggleSidebar)
  return (
    <div className={styles.shell}>
      {open && (
        <SidebarPane>
          <Sidebar>{list}</Sidebar>
        </SidebarPane>
      )}
      <Overlay>{list}</Overlay>
      <div className={styles.view}>
        {view !== 'chat' && <TitleBar />}
        <main id="main" className={styles.main} tabIndex={-1} aria-label={viewNames[view]}>
          {children}
        </main>
        {below}
        {!quick && <BottomBar />}
      </div>
    </div>
  )
}

/** In a narrow window: the sidebar over the view. It closes when a place is chosen in it. */
function Overlay({ children }: { children: ReactNode }) {
  const open = useSidebarOverlay((state) => state.open)
  useDialogStack(open, () => showSidebarOverlay(false))
  useEffect(() => {
    const close = () => showSidebarOverlay(false)
    addEventListener('hashchange', close)
    return () => removeEventListener('hashchange', close)
  }, [])
  return (
    <Radix.Root open={open} onOpenChange={showSidebarOverlay}>
      <Radix.Portal>
        <div className={styles.scrim}>
          <Radix.Content className={styles.overlay} aria-describedby={undefined}>
            <Radix.Title className={hidden.hidden}>
              <Trans>Menu</Trans>
            </Radix.Title>
            <Sidebar>{children}</Sidebar>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}
