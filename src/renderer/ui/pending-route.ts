import { addressOf, parseRoute } from './route.ts'

/** In `localStorage`, because the tab that `sotto open` opens is another one. */
const KEY = 'sotto.pending-route'
/** As long as it may take to find a terminal. After that, a new tab opens where it always does. */
const VALID_MS = 10 * 60_000

/**
 * Saves the view that a tab without a session was asked to open, as after a click on a bookmark. The fragment comes from
 * outside, so only the view that it names is saved. The first view needs no entry.
 */
export function savePendingRoute(fragment: string, now = Date.now()): void {
  const address = addressOf(parseRoute(fragment))
  if (address === addressOf({ view: 'chat' })) return
  localStorage.setItem(KEY, JSON.stringify({ address, until: now + VALID_MS }))
}

/** The address of the view that was saved last, once, or undefined if there is none or it expired. */
export function takePendingRoute(now = Date.now()): string | undefined {
  const text = localStorage.getItem(KEY)
  localStorage.removeItem(KEY)
  try {
    const saved: unknown = JSON.parse(text ?? 'null')
    if (typeof saved !== 'object' || saved === null || !('address' in saved) || !('until' in saved))
      return undefined
    if (typeof saved.address !== 'string' || typeof saved.until !== 'number') return undefined
    const isValid = saved.until > now && saved.until <= now + VALID_MS
    return isValid ? addressOf(parseRoute(saved.address)) : undefined
  } catch {
    return undefined
  }
}
