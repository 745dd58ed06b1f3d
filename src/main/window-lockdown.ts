import type { Session, WebContents } from 'electron'
import { DIAGRAM_URL, WINDOW_URL } from './app-scheme.ts'
import { CHECKS_SPELLING } from './open-window.ts'

/**
 * Restricts the page: it opens no window, navigates to no other address, and uses the web only through
 * `openLink`.
 */
export function lockContents(contents: WebContents, openLink: (address: string) => void): void {
  contents.on('will-navigate', prevent)
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame || event.url !== DIAGRAM_URL) event.preventDefault()
  })
  contents.on('will-redirect', prevent)
  contents.on('will-attach-webview', prevent)
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url)
    return { action: 'deny' }
  })
  // WebRTC's packets pass by every filter of requests.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
}

function prevent(event: { preventDefault(): void }): void {
  event.preventDefault()
}

/** Addresses within this process: the window's own, and those in its memory. */
const LOCAL = [WINDOW_URL, `blob:${WINDOW_URL}`, 'data:']

/** Nothing listens on TCP port 1 (RFC 1078, historic). */
const NO_PROXY_THERE = 'socks5://127.0.0.1:1'

/**
 * Denies the renderer all network access: Sotto's requests all go through the core. Requests are canceled
 * here. Connections of Chromium without a request that a filter sees (name lookups, preconnections, WebRTC
 * over TCP) use a proxy that doesn't exist.
 */
export async function denyNetwork(session: Session, { devTools }: { devTools: boolean }): Promise<void> {
  session.setSpellCheckerEnabled(CHECKS_SPELLING)
  const allowed = devTools ? [...LOCAL, 'devtools:'] : LOCAL
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !allowed.some((start) => url.startsWith(start)) }),
  )
  // "<-loopback>" removes Chromium's exception for this computer.
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: NO_PROXY_THERE,
    proxyBypassRules: '<-loopback>',
  })
}
