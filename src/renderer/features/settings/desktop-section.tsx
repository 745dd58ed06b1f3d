import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import {
  notificationKinds,
  type DesktopSettings,
  type NotificationKind,
} from '../../../shared/desktop-settings.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/view.tsx'
import { quickEntryKeys } from '../../ui/shortcuts.ts'
import { Switch } from '../../ui/switch.tsx'
import styles from './desktop-section.module.css'
import { changeDesktop, loadDesktop, useDesktop } from './desktop-store.ts'

const notificationWords: Readonly<Record<NotificationKind, string>> = {
  get 'job-done'() {
    return t`Long task finished`
  },
  get 'balance-low'() {
    return t`Low balance`
  },
  get 'release-changed'() {
    return t`Enclave release changed`
  },
  get 'verification-failed'() {
    return t`Enclave verification failed`
  },
}

/** Settings of the desktop app. A browser tab has none of them, so the section shows nothing there. */
export function DesktopSection() {
  const { view, failure } = useDesktop()
  useEffect(() => void loadDesktop(), [])
  if (failure && !view)
    return (
      <Section title={t`Desktop`}>
        <FailureNote failure={failure} />
      </Section>
    )
  if (!view) return null
  const { settings, can } = view
  const keys = quickEntryKeys()
  const change = (part: Partial<DesktopSettings>) => void changeDesktop(part)
  return (
    <Section title={t`Desktop`}>
      <div className={styles.switches}>
        {can.closeToTray && (
          <Switch
            label={t`Keep running in the tray when the window is closed`}
            on={settings.closeToTray}
            onTurn={() => change({ closeToTray: !settings.closeToTray })}
          />
        )}
        {can.startAtLogin && (
          <Switch
            label={t`Start at login without opening a window`}
            on={settings.startAtLogin}
            onTurn={() => change({ startAtLogin: !settings.startAtLogin })}
          />
        )}
        <Switch
          label={t`Open a small chat with ${keys} in any program`}
          on={settings.quickEntry}
          onTurn={() => change({ quickEntry: !settings.quickEntry })}
        />
      </div>
      {can.notify && (
        <fieldset className={styles.notifications}>
          <legend>{t`System notifications when Sotto is in the background`}</legend>
          <p
            className={styles.note}
          >{t`Notifications use fixed text. They never include your messages, names, or amounts.`}</p>
          {notificationKinds.map((kind) => (
            <Switch
              key={kind}
              label={notificationWords[kind]}
              on={settings.notifications[kind]}
              onTurn={() =>
                change({
                  notifications: { ...settings.notifications, [kind]: !settings.notifications[kind] },
                })
              }
            />
          ))}
        </fieldset>
      )}
      {failure && <FailureNote failure={failure} />}
    </Section>
  )
}
