import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { notificationKinds, type DesktopSettings, type NotificationKind } from '../../../shared/desktop-settings.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/room.tsx'
import { Switch } from '../../ui/switch.tsx'
import styles from './desktop-section.module.css'
import { changeDesktop, loadDesktop, useDesktop } from './desktop-store.ts'

const notificationWords: Readonly<Record<NotificationKind, string>> = {
  get 'job-done'() { return t`Something that took long is done` },
  get 'balance-low'() { return t`The balance is low` },
  get 'release-changed'() { return t`The enclave runs another release` },
  get 'verification-failed'() { return t`The enclave did not prove itself` },
}

/** What only a desktop does; in a browser’s tab there is none of it, and nothing is shown. */
export function DesktopSection() {
  const { view, failure } = useDesktop()
  useEffect(() => void loadDesktop(), [])
  if (failure && !view) return <Section title={t`Desktop`}><FailureNote failure={failure} /></Section>
  if (!view) return null
  const { settings, can } = view
  const change = (part: Partial<DesktopSettings>) => void changeDesktop(part)
  return (
    <Section title={t`Desktop`}>
      <div className={styles.switches}>
        {can.closeToTray && <Switch label={t`Stay in the tray when the window is closed`} on={settings.closeToTray} onTurn={() => change({ closeToTray: !settings.closeToTray })} />}
        {can.startAtLogin && <Switch label={t`Start at login, without a window`} on={settings.startAtLogin} onTurn={() => change({ startAtLogin: !settings.startAtLogin })} />}
      </div>
      {can.notify && (
        <fieldset className={styles.notifications}>
          <legend>{t`Notifications of the system, while you look elsewhere`}</legend>
          <p className={styles.note}>{t`Each has fixed words: nothing that you wrote, no name and no amount.`}</p>
          {notificationKinds.map((kind) => (
            <Switch key={kind} label={notificationWords[kind]} on={settings.notifications[kind]} onTurn={() => change({ notifications: { ...settings.notifications, [kind]: !settings.notifications[kind] } })} />
          ))}
        </fieldset>
      )}
      {failure && <FailureNote failure={failure} />}
    </Section>
  )
}
