import { t } from '@lingui/core/macro'
import { addressOf, useRoute } from '../route.ts'
import { serviceName } from '../service/service-name.ts'
import { useStatus } from '../status-store.ts'
import { Hidden } from '../hidden.tsx'
import styles from './account-row.module.css'
import { ViewIcon, viewNames } from './views.tsx'

/** The account in use, which leads to all accounts, and the settings. */
export function AccountRow() {
  const status = useStatus((state) => state.status)
  const isInSettings = useRoute().view === 'settings'
  if (!status) return null
  const { account, service, vault } = status
  const name = account.name ?? (account.connected ? t`Account` : t`No account`)
  return (
    <div className={styles.row}>
      <a
        className={styles.account}
        href={addressOf({ view: 'wallet', part: 'accounts' })}
        title={`${serviceName(service)}\n${service.baseUrl}`}
      >
        <span className={styles.avatar} aria-hidden>
          {initialOf(name)}
          {vault.kind === 'memory' && <span className={styles.unsaved} />}
        </span>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        {vault.kind === 'memory' && (
          <Hidden> {t`Your chats and accounts will be deleted when Sotto quits.`}</Hidden>
        )}
      </a>
      <a
        className={styles.settings}
        href={addressOf({ view: 'settings' })}
        aria-label={viewNames.settings}
        title={viewNames.settings}
        {...(isInSettings ? { 'aria-current': 'page' as const } : {})}
      >
        <ViewIcon view="settings" />
      </a>
    </div>
  )
}

/** The first character as a person sees it: an emoji can have several code points. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)
  return first?.segment.toLocaleUpperCase() ?? ''
}
