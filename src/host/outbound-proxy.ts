import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici'
import { SottoError } from '../shared/errors.ts'

/** As a shell writes them; the lower-case name wins, as in curl. */
export interface ProxyEnvironment {
  readonly [name: string]: string | undefined
}

export interface OutboundRoutes {
  to(url: URL): Dispatcher
  /** Host (and port) of the proxy to go through, where there is one. */
  readonly proxy?: string
  /** Ends every connection. */
  close(): Promise<void>
}

/**
 * Straight, or through the HTTPS_PROXY of the environment by CONNECT (RFC 9110 section 9.3.6), so that the proxy sees the
 * host's name and no more. NO_PROXY names hosts that are reached straight, with what is below them; `*` is all.
 * Loopback is never proxied: what a proxy calls loopback is another machine. An address that cannot be read throws
 * host/proxy-address, for going around a proxy that somebody asked for would show whom they talk to.
 */
export function outboundRoutes(environment: ProxyEnvironment, options: Agent.Options): OutboundRoutes {
  const straight = new Agent(options)
  const address = environment['https_proxy'] ?? environment['HTTPS_PROXY'] ?? ''
  if (address === '') return { to: () => straight, close: () => straight.destroy() }
  const proxied = new EnvHttpProxyAgent({
    ...options,
    // Addresses are https, except on loopback: there is nothing for a proxy of plain HTTP.
    httpProxy: '',
    httpsProxy: proxyAddress(address),
    noProxy: environment['no_proxy'] ?? environment['NO_PROXY'] ?? '',
  })
  return {
    to: (url) => (isLoopback(url.hostname) ? straight : proxied),
    proxy: new URL(proxyAddress(address)).host,
    close: async () => {
      await Promise.all([straight.destroy(), proxied.destroy()])
    },
  }
}

/** Without a scheme it is http, as in curl. The text may hold a password and is shown nowhere. */
function proxyAddress(text: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) throw new SottoError('host/proxy-address')
  const { protocol, hostname } = new URL(address)
  if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') throw new SottoError('host/proxy-address')
  return address
}

/** By the names that URL gives them: RFC 6761 section 6.3, 127.0.0.0/8, ::1, and the latter two mapped into one another. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host) || host === '[::1]' || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host)
}
