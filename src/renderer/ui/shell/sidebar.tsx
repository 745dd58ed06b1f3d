import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Command } from 'lucide-react'
import type { ReactNode } from 'react'
import { useBalanceMark } from '../balance-mark.ts'
import { IconButton } from '../button.tsx'
import { formatUsd } from '../format/money.ts'
import { addressOf, useRoute, viewsOf, type ViewName } from '../route.ts'
import { keysOf } from '../shortcuts.ts'
import { useDirect } from '../status-store.ts'
import { AccountRow } from './account-row.tsx'
import { showPalette } from './palette-store.ts'
import styles from './sidebar.module.css'
import { usePrivacyStatus, ViewIcon, viewNames } from './views.tsx'

/** The product's name, the list of chats, and the other destinations. */
export function Sidebar({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.sidebar}>
      <div className={styles.brand}>
        <Mark size={20} />
        <span className={styles.name}>Sotto</span>
        <IconButton label={t`Search commands and chats`} title={keysOf('palette')} onClick={showPalette}>
          <Command size={16} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
      <div className={styles.list}>{children}</div>
      <Destinations />
    </div>
  )
}

/** The product's mark: a closed ring around one point. `size` is its width and height in pixels. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="var(--ink)" />
      <circle cx="16" cy="16" r="9" fill="none" stroke="var(--bg)" strokeWidth="2.5" />
      <circle cx="16" cy="16" r="3" fill="var(--bg)" />
    </svg>
  )
}

/** Views that another part of the sidebar leads to: the list of chats with its projects, and the row of the account. */
const ELSEWHERE: ReadonlySet<ViewName> = new Set(['chat', 'projects', 'settings'])

function Destinations() {
  const direct = useDirect()
  const here = useRoute().view
  return (
    <nav className={styles.destinations} aria-label={t`Views`}>
      <ul>
        {viewsOf(direct)
          .filter((view) => !ELSEWHERE.has(view))
          .map((view) => (
            <li key={view}>
              <a
                className={styles.destination}
                href={addressOf({ view })}
                {...(view === here ? { 'aria-current': 'page' as const } : {})}
              >
                <ViewIcon view={view} />
                <span className={styles.label}>{viewNames[view]}</span>
                {view === 'wallet' && <WalletBalance />}
                {view === 'privacy' && <PrivacyStatus />}
              </a>
            </li>
          ))}
      </ul>
      <AccountRow />
    </nav>
  )
}

function WalletBalance() {
  const picoUsd = useBalanceMark()
  // Rounded down, so that it never shows more than is there.
  return (
    picoUsd !== undefined && <span className={styles.amount}>{formatUsd(picoUsd, { round: 'down' })}</span>
  )
}

function PrivacyStatus() {
  return <span className={styles.fact}>{usePrivacyStatus()}</span>
}

/** In a narrow window: the destinations at the bottom, within reach of a thumb. */
export function BottomBar() {
  const direct = useDirect()
  const here = useRoute().view
  return (
    <nav className={styles.bottom} aria-label={t`Views`}>
      {viewsOf(direct)
        .filter((view) => view !== 'settings' && view !== 'privacy' && view !== 'projects')
        .map((view) => (
          <a
            key={view}
            className={styles.bottomLink}
            href={addressOf({ view })}
            {...(view === here ? { 'aria-current': 'page' as const } : {})}
          >
            <ViewIcon view={view} size={20} />
            <span>{viewNames[view]}</span>
          </a>
        ))}
    </nav>
  )
}

export function SkipLink() {
  return (
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
  )
}
