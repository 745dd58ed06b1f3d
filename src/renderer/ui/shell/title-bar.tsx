import { t } from '@lingui/core/macro'
import { Menu, PanelLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { create } from 'zustand'
import { IconButton } from '../button.tsx'
import { setPreferences, usePreferences } from '../preferences.ts'
import { keysOf } from '../shortcuts.ts'
import styles from './title-bar.module.css'

/** Whether a narrow window shows the sidebar over the view. */
export const useSidebarOverlay = create<{ open: boolean }>()(() => ({ open: false }))

export function showSidebarOverlay(open: boolean): void {
  useSidebarOverlay.setState({ open })
}

/** Shows or hides the sidebar of a wide window. */
export function toggleSidebar(): void {
  setPreferences({ sidebar: usePreferences.getState().sidebar === 'open' ? 'closed' : 'open' })
}

/** The row at the top of each view. It opens the sidebar. */
export function TitleBar({ children }: { children?: ReactNode }) {
  const open = usePreferences(({ sidebar }) => sidebar === 'open')
  return (
    <header className={styles.bar}>
      {/* Only one of the two is shown, because a narrow window has the sidebar as an overlay. */}
      <IconButton
        className={styles.toggle}
        label={t`Toggle sidebar`}
        title={keysOf('sidebar')}
        aria-expanded={open}
        onClick={toggleSidebar}
      >
        <PanelLeft size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <IconButton className={styles.menu} label={t`Menu`} onClick={() => showSidebarOverlay(true)}>
        <Menu size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
      {children}
    </header>
  )
}
