import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici'
import { SottoError } from '../shared/errors.ts'
import { meansLoopback } from '../shared/loopback.ts'
import type { RequiredTlsKey } from './tls-key.ts'

/** The variables of a shell; the lower-case name wins, as in curl. */
export interface ProxyEnvironment {
  readonly [name: string]: string | undefined
}

export interface OutboundRoutes {
  to(url: URL): Dispatcher
  /** Host (and port) of the proxy, if there is one. */
  readonly proxy?: string
  /** Takes no more requests, and ends each connection after its last one. */
  retire(): Promise<void>
  /** Ends every connection. */
  close(): Promise<void>
}

interface RouteOptions extends Pick<Agent.Options, 'keepAliveTimeout' | 'connectTimeout'> {
  /** For connections to the host itself, not to a proxy. */
  readonly tls?: RequiredTlsKey | undefined
}

const HTTP_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:'])
/** All of them let the proxy look up the host's name, as Tor requires: `socks5h` is curl's name for that. */
const SOCKS_SCHEMES: ReadonlySet<string> = new Set(['socks5:', 'socks5h:', 'socks:'])

/**
 * Connects directly, or through the proxy of the environment: HTTPS_PROXY, or ALL_PROXY if that isn't set. An HTTP proxy is used by CONNECT
 * (RFC 9110 section 9.3.6) and a SOCKS proxy by version 5 (RFC 1928), so either sees the host's name and nothing more. NO_PROXY names hosts
 * that are reached directly, with their subdomains; `*` is all. Loopback is never proxied, because the proxy's loopback is another machine.
 *
 * @throws {SottoError} host/proxy-address for an address that can't be read: to connect directly would show the hosts to others
 */
export function outboundRoutes(
  environment: ProxyEnvironment,
  { tls, ...options }: RouteOptions,
): OutboundRoutes {
  const straight = new Agent({ ...options, ...(tls && { connect: tls }) })
  const address = PROXY_VARIABLES.map((name) => environment[name]).find(
    (value) => value !== undefined && value !== '',
  )
  if (address === undefined)
    return { to: () => straight, retire: () => straight.close(), close: () => straight.destroy() }
  const proxy = readProxyAddress(address)
  const proxied = new EnvHttpProxyAgent({
    ...options,
    // Hosts in NO_PROXY are connected by the first, and tunnels by the second.
    ...(tls && { connect: tls, requestTls: tls }),
    // Addresses are https, except on loopback, so a proxy for plain HTTP has nothing to do.
    httpProxy: '',
    httpsProxy: proxy.href,
    noProxy: environment['no_proxy'] ?? environment['NO_PROXY'] ?? '',
  })
  return {
    to: (url) => (meansLoopback(url.hostname) ? straight : proxied),
    proxy: proxy.host,
    retire: async () => {
      await Promise.all([straight.close(), proxied.close()])
    },
    close: async () => {
      await Promise.all([straight.destroy(), proxied.destroy()])
    },
  }
}

/** The first that is set counts; lower case first, as in curl. */
const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const

/** Without a scheme it's http, as in curl. The text may contain a password and is never shown. */
function readProxyAddress(text: string): URL {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(address)) throw new SottoError('host/proxy-address')
  const { protocol, hostname } = new URL(address)
  if (hostname === '' || !(HTTP_SCHEMES.has(protocol) || SOCKS_SCHEMES.has(protocol)))
    throw new SottoError('host/proxy-address')
  return new URL(SOCKS_SCHEMES.has(protocol) ? address.replace(/^[^:]*/, 'socks5') : address)
}
