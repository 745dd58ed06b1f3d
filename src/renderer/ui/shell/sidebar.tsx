import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Command } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { addressOf, viewsOf, useRoute, type ViewName } from '../route.ts'
import { keysOf } from '../shortcuts.ts'
import { useDirect, useStatus } from '../status-store.ts'
import { openPalette } from './palette-store.ts'
import { serviceName } from '../service/service-name.ts'
import styles from './sidebar.module.css'
import { viewNames, ViewIcon, usePrivacyStatus } from './views.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** The rooms, at the left of every room. `roomy` keeps the names beside the signs at any width, and has place for a list. */
export function Sidebar({ roomy = false, children }: { roomy?: boolean; children?: ReactNode }) {
  const version = useStatus((state) => state.status?.version)
  const service = useStatus((state) => state.status?.service)
  const direct = useDirect()
  return (
    <div className={classNames(styles.rail, roomy && styles.roomy)}>
      <p className={styles.name}>Sotto</p>
      <nav aria-label={t`Views`}>
        <ul className={styles.rooms}>
          {viewsOf(direct).map((room) => (
            <li key={room}>
              <ViewLink room={room} />
            </li>
          ))}
        </ul>
      </nav>
      {children !== undefined && <div className={styles.list}>{children}</div>}
      <div className={styles.foot}>
        <button type="button" className={styles.room} onClick={openPalette} title={t`Commands`}>
          <Command size={18} strokeWidth={1.6} aria-hidden />
          <span className={styles.label}>
            <Trans>Commands</Trans>
          </span>
          <kbd className={styles.keys}>{keysOf('palette')}</kbd>
        </button>
        <ThemeSwitch />
        {service && (
          <p className={styles.small} title={service.baseUrl}>
            {serviceName(service)}
            <br />
            Sotto {version}
          </p>
        )}
      </div>
    </div>
  )
}

function ViewLink({ room }: { room: ViewName }) {
  const here = useRoute().room === room
  return (
    <a
      className={styles.room}
      href={addressOf({ room })}
      title={viewNames[room]}
      {...(here ? { 'aria-current': 'page' as const } : {})}
    >
      <ViewIcon room={room} />
      <span className={styles.label}>{viewNames[room]}</span>
      {room === 'privacy' && <VerificationStatus />}
    </a>
  )
}

function VerificationStatus() {
  return <span className={styles.standing}>{usePrivacyStatus()}</span>
}
