import type { Session } from 'electron'
import { WINDOW_URL } from './app-scheme.ts'

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
