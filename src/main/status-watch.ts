import type { Host } from '../host/host.ts'
import type { AppStatus } from '../shared/app-status.ts'
import { notificationEventsBetween, type NotificationEvent } from './notification-events.ts'

/** Changes within this time are read together. */
const BURST_MS = 150
/** For changes without a trigger: a verdict that ends, a balance that was refreshed. */
const EVERY_MS = 30_000

interface StatusWatch extends Disposable {
  /** The status may have changed. */
  look(): void
}

/** Reports the status when it changed, with the new events. */
export function watchStatus(
  host: Pick<Host, 'status'>,
  tell: (status: AppStatus | null, events: readonly NotificationEvent[]) => void,
): StatusWatch {
  let before: AppStatus | null = null
  let soon: NodeJS.Timeout | undefined
  let ended = false
  async function lookNow(): Promise<void> {
    soon = undefined
    const now = await host.status()
    if (ended || JSON.stringify(now) === JSON.stringify(before)) return
    const events = now ? notificationEventsBetween(before, now) : []
    // While the service is being changed there is no status. Earlier events aren't reported again after it.
    before = now ?? before
    tell(now, events)
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
