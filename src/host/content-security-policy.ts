/** For the window's page, from the headless door and from app:// alike: its own files, its own door, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // No string becomes markup, code or the address of code, except for the workers that
  // src/renderer/ui/own-worker.ts starts.
  "require-trusted-types-for 'script'",
  'trusted-types sotto-worker',
].join('; ')

/** The one page that the window frames. */
export const DIAGRAM_PATH = '/diagram.html'

/**
 * For the frame that draws diagrams: a separate origin, no network, and only two scripts, its own and the
 * drawing library, each identified by its hash. An attacker controls the diagram's text, which can't add a
 * script. Trusted Types would add nothing here: the library writes markup as strings, so that its only
 * policy would have to allow everything.
 */
const diagramPolicy = [
  "default-src 'none'",
  "script-src 'sha256-9Uc5R25bptXhpLXUDVHLz5PwSK4nSJGiToTyNmLctL0=' 'sha256-M234A9h6OLcKAec25mbI92AdLOQvXkfI+v5dchB0uaM='",
  // The library sets styles on its drawings.
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-scripts',
].join('; ')

const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), usb=(), serial=(), payment=()',
}

/** The headers of a file of the window, its policy among them; the diagram's page has a policy of its own. */
export function headersOf(path: string): Readonly<Record<string, string>> {
  return path === DIAGRAM_PATH ? { ...pageHeaders, 'content-security-policy': diagramPolicy } : pageHeaders
}
