import type { Host } from '../host/index.ts'
import type { AppStatus } from '../shared/app-status.ts'
import { notificationEventsBetween, type NotificationEvent } from './notification-events.ts'

/** What happens in bursts is looked at once. */
const BURST_MS = 150
/** What changes without anybody's asking: a verdict that ends, a balance that was looked at. */
const EVERY_MS = 30_000

interface StatusWatch extends Disposable {
  /** Something may stand otherwise. */
  look(): void
}

/** Tells how Sotto stands when it changed, and what is new since. */
export function watchStatus(
  host: Pick<Host, 'standing'>,
  tell: (standing: AppStatus | null, news: readonly NotificationEvent[]) => void,
): StatusWatch {
  let before: AppStatus | null = null
  let soon: NodeJS.Timeout | undefined
  let ended = false
  async function lookNow(): Promise<void> {
    soon = undefined
    const now = await host.standing()
    if (ended || JSON.stringify(now) === JSON.stringify(before)) return
    const news = now ? notificationEventsBetween(before, now) : []
    // While the service is being changed there is none; what was told of before is not told again after.
    before = now ?? before
    tell(now, news)
  }
  const look = (): void => {
    if (!ended) soon ??= setTimeout(() => void lookNow(), BURST_MS)
  }
  const regularly = setInterval(look, EVERY_MS)
  look()
  return {
    look,
    [Symbol.dispose]() {
      ended = true
      clearTimeout(soon)
      clearInterval(regularly)
    },
  }
}
