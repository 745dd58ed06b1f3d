import type { Session, WebContents, WebPreferences } from 'electron'
import { DIAGRAM_URL, WINDOW_URL } from './app-scheme.ts'

/** Every preference that bounds what the page can reach, said even where it is Electron's default. */
export function lockedPreferences(session: Session, { devTools }: { devTools: boolean }): WebPreferences {
  return {
    session,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    plugins: false,
    navigateOnDragDrop: false,
    // alert() and its like would look like Sotto's own dialogs.
    disableDialogs: true,
    // Its dictionaries are fetched from a public address.
    spellcheck: false,
    devTools,
  }
}

/** The one page stays where it is: it opens no window, goes to no other address, and reaches the web through `openLink` alone. */
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

/** Addresses that stay in this process: the window's own, and what it holds in memory. */
const LOCAL = [WINDOW_URL, `blob:${WINDOW_URL}`, 'data:']

/** Nothing listens on TCP port 1 (RFC 1078, historic). */
const NO_PROXY_THERE = 'socks5://127.0.0.1:1'

/**
 * The renderer has no network: all that Sotto sends goes through the core. Requests are cancelled here; what Chromium
 * connects without a request that a filter sees (name lookups, preconnections, WebRTC over TCP) meets a proxy that is not there.
 */
export async function denyNetwork(session: Session, { devTools }: { devTools: boolean }): Promise<void> {
  const allowed = devTools ? [...LOCAL, 'devtools:'] : LOCAL
  session.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !allowed.some((start) => url.startsWith(start)) }),
  )
  // "<-loopback>" takes back the exception that Chromium makes for this machine.
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: NO_PROXY_THERE,
    proxyBypassRules: '<-loopback>',
  })
}
