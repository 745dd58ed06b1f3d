import type { Session } from 'electron'
import { WINDOW_URL } from './app-scheme.ts'

/** Everything else is denied. */
const GRANTED: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write', // the copy buttons
])

/** Answers both questions that Chromium asks: may the page (check), and will the user let it (request). */
export function denyPermissions(session: Session): void {
  const granted = (permission: string, { isMainFrame, requestingUrl }: { isMainFrame: boolean; requestingUrl?: string }): boolean =>
    GRANTED.has(permission) && isMainFrame && requestingUrl?.startsWith(WINDOW_URL) === true
  session.setPermissionCheckHandler((_contents, permission, _origin, details) => granted(permission, details))
  session.setPermissionRequestHandler((_contents, permission, answer, details) => answer(granted(permission, details)))
  session.setDevicePermissionHandler(() => false)
  // What the page made itself may be saved: with no path set here, the system's own dialog asks where. Nothing is fetched for it.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${WINDOW_URL}`)) event.preventDefault()
  })
}
