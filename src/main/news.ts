import type { NotificationKind } from '../shared/desktop-settings.ts'
import type { Standing } from '../shared/standing.ts'

/**
 * What is new since it was looked at last. Another service has counts and a verdict of its own: what is less than before is of
 * another core, and tells nothing.
 */
export function newsBetween(before: Standing | null, after: Standing): NotificationKind[] {
  const news: NotificationKind[] = []
  const more = (count: 'longRequests' | 'newReleases'): boolean => after[count] > (before?.[count] ?? 0)
  if (more('longRequests')) news.push('job-done')
  if (after.lowBalance !== null && after.lowBalance !== before?.lowBalance) news.push('balance-low')
  if (more('newReleases')) news.push('release-changed')
  // Once, and not for every request that is refused under it.
  if (after.verdict?.good === false && before?.verdict?.good !== false) news.push('verification-failed')
  return news
}
