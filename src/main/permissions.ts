import type { Session } from 'electron'
import { WINDOW_URL } from './app-scheme.ts'

/** Everything else is denied. */
const GRANTED: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write', // the copy buttons
])

interface Asked {
  readonly isMainFrame: boolean
  readonly requestingUrl?: string
  /** Of `media`: what is asked for in a check, and in a request. */
  readonly mediaType?: string
  readonly mediaTypes?: readonly string[]
}

/** Answers both questions that Chromium asks: may the page (check), and will the user let it (request). */
export function denyPermissions(session: Session): void {
  const granted = (permission: string, asked: Asked): boolean =>
    (GRANTED.has(permission) || (permission === 'media' && soundAlone(asked))) &&
    asked.isMainFrame &&
    asked.requestingUrl?.startsWith(WINDOW_URL) === true
  session.setPermissionCheckHandler((_contents, permission, _origin, details) => granted(permission, details))
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(granted(permission, details)),
  )
  session.setDevicePermissionHandler(() => false)
  // What the page made itself may be saved: with no path set here, the system's own dialog asks where. Nothing is fetched for it.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${WINDOW_URL}`)) event.preventDefault()
  })
}

/** The microphone, for dictating: the page asks its user before it asks for it. Never a camera, nor what is not said. */
function soundAlone({ mediaType, mediaTypes }: Asked): boolean {
  if (mediaTypes) return mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio')
  return mediaType === 'audio'
}
