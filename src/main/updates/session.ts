import type { Session } from 'electron'

/** What is asked with, the same for everybody: neither a version, nor a system, nor a language, nor an id. */
const HEADERS: Readonly<Record<string, string>> = { Accept: '*/*', 'User-Agent': 'Sotto' }

/**
 * Closes the session that updates are fetched over: to other hosts, to addresses that are not https but for this machine's own,
 * and to every header beside two. It keeps neither cookies nor a cache (electron-updater makes it in memory).
 */
export function closeSession(session: Session, hosts: readonly string[]): Session {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isAllowed(url, hosts) }))
  session.webRequest.onBeforeSendHeaders((_details, answer) => answer({ requestHeaders: { ...HEADERS } }))
  return session
}

function isAllowed(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host, hostname, username, password } = new URL(address)
  if (username !== '' || password !== '' || !hosts.includes(host)) return false
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}
