import type { NotificationKind } from '../shared/desktop-settings.ts'
import type { AppStatus } from '../shared/app-status.ts'

/** The events for notifications, and the setting for each. */
export const settingOf = {
  'job-done': 'job-done',
  'job-failed': 'job-done',
  'job-unknown': 'job-done',
  'balance-low': 'balance-low',
  'release-changed': 'release-changed',
  'verification-failed': 'verification-failed',
} as const satisfies Readonly<Record<string, NotificationKind>>
export type NotificationEvent = keyof typeof settingOf

/**
 * The events since the last status. Another service has different counts and another verdict: a lower count
 * is from another core, and triggers nothing.
 */
export function notificationEventsBetween(before: AppStatus | null, after: AppStatus): NotificationEvent[] {
  const events: NotificationEvent[] = []
  const more = (count: 'longDone' | 'longFailed' | 'longUnknown' | 'newReleases'): boolean =>
    after[count] > (before?.[count] ?? 0)
  if (more('longDone')) events.push('job-done')
  if (more('longFailed')) events.push('job-failed')
  if (more('longUnknown')) events.push('job-unknown')
  if (after.lowBalance !== null && after.lowBalance !== before?.lowBalance) events.push('balance-low')
  if (more('newReleases')) events.push('release-changed')
  // Once, and not for every request that is refused under it.
  if (after.verdict?.good === false && before?.verdict?.good !== false) events.push('verification-failed')
  return events
}
