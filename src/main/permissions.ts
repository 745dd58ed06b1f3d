import type { Session } from 'electron'
import { WINDOW_URL } from './app-scheme.ts'

/** Everything else is denied. */
const GRANTED: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write', // the copy buttons
  'fullscreen', // the players of videos
])

interface Asked {
  readonly isMainFrame: boolean
  readonly requestingUrl?: string
  /** For `media`: the type in a check, and the types in a request. */
  readonly mediaType?: string
  readonly mediaTypes?: readonly string[]
}

/** Answers both questions that Chromium asks: may the page (check), and will the user let it (request). */
export function denyPermissions(session: Session): void {
  const granted = (permission: string, asked: Asked): boolean =>
    (GRANTED.has(permission) || (permission === 'media' && onlySound(asked))) &&
    asked.isMainFrame &&
    asked.requestingUrl?.startsWith(WINDOW_URL) === true
  session.setPermissionCheckHandler((_contents, permission, _origin, details) => granted(permission, details))
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(granted(permission, details)),
  )
  session.setDevicePermissionHandler(() => false)
  // The page may save its own files: without a path set here, the system's dialog asks for one. No request
  // is sent for it.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${WINDOW_URL}`)) event.preventDefault()
  })
}

/**
 * The microphone for dictation: the page asks its user before it requests it. Never a camera or an unknown
 * type.
 */
function onlySound({ mediaType, mediaTypes }: Asked): boolean {
  if (mediaTypes) return mediaTypes.length > 0 && mediaTypes.every((type) => type === 'audio')
  return mediaType === 'audio'
}
