/**
 * For the window's page, from the UI server and from app:// alike: its own files and its own server.
 * @param host - the UI server's. Not every browser takes `'self'` to include the WebSocket of the page's own server.
 */
const windowPolicy = (host?: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    host === undefined ? "connect-src 'self'" : `connect-src 'self' ws://${host}`,
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    // No string becomes markup, code or the address of code, except for the workers that
    // src/renderer/ui/own-worker.ts starts.
    "require-trusted-types-for 'script'",
    'trusted-types sotto-worker',
  ].join('; ')

/**
 * For the threads that read PDFs and recognize text. They compile WebAssembly, which the page may not, and have no
 * network: the window gives them their programs and data. Neither the page nor another thread gets this policy.
 */
const fileThreadPolicy = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')
const FILE_THREAD = /^\/assets\/(?:pdf|recognition)-worker-[\w-]+\.js$/

/** The frame that draws diagrams. */
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

/** The frame that shows a document of a reply. */
export const DOCUMENT_PATH = '/document.html'

/**
 * For the frame that shows a document of a reply: a separate origin, no network, and only the frame's own script,
 * identified by its hash. An attacker controls the document, whose images and fonts must be part of it. Its
 * navigations are limited by the window's `frame-src`.
 */
const documentPolicy = [
  "default-src 'none'",
  "script-src 'sha256-IQ4n6n/zs18eFWQ742JXvurjAcxuSIIr+hrfVJsqKMs='",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  'media-src data:',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-scripts',
].join('; ')

/** The window frames these pages and no other. Each has a policy of its own. */
const framePolicies = new Map([
  [DIAGRAM_PATH, diagramPolicy],
  [DOCUMENT_PATH, documentPolicy],
])

const pageHeaders: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), usb=(), serial=(), payment=()',
}

/**
 * The headers of a file of the window. The pages in frames and two threads have policies of their own.
 * @param host - the Host header of the request, which the UI server has checked. Absent for app://
 */
export function headersOf(path: string, host?: string): Readonly<Record<string, string>> {
  const policy = FILE_THREAD.test(path) ? fileThreadPolicy : framePolicies.get(path)
  return { ...pageHeaders, 'content-security-policy': policy ?? windowPolicy(host) }
}
