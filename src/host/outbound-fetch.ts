import { Readable } from 'node:stream'
import { WebSocket, type Dispatcher } from 'undici'
import {
  OtherTlsKeyError,
  UnsentError,
  type Dial,
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type Fields,
} from '../shared/fetch.ts'
import { IncomingBody } from './incoming-body.ts'
import { outboundRoutes, type OutboundRoutes, type ProxyEnvironment } from './outbound-proxy.ts'
import { requireTlsKey } from './tls-key.ts'

export interface OutboundFetch {
  readonly fetch: Fetch
  /** Uses the same routes; absent if there are only direct connections. */
  readonly dial?: Dial
  /** Host (and port) of the proxy for all requests except loopback; absent for direct connections. */
  readonly proxy?: string
  close(): Promise<void>
}

/**
 * Set for each request, because undici's agent for SOCKS proxies doesn't pass on the options of an agent.
 */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 }
const STOPPED = new Error('the request was stopped')

/**
 * The only network access of Sotto, directly over undici's dispatcher: on the proxy's hot path a web
 * Response and its streams would cost as much as the rest. Follows no redirect, stores no cookie, decodes
 * no content encoding. The callers set the timeouts. Uses the proxy of the environment (`outboundRoutes`).
 *
 * @throws {SottoError} host/proxy-address
 */
export function createOutboundFetch(environment: ProxyEnvironment = process.env): OutboundFetch {
  const routesBy = (tlsKey?: string): OutboundRoutes =>
    outboundRoutes(environment, {
      keepAliveTimeout: 30_000,
      connectTimeout: 15_000,
      tls: tlsKey === undefined ? undefined : requireTlsKey(tlsKey),
    })
  const routes = routesBy()
  /** By origin: connections that were checked for one key are used for no other. */
  const attested = new Map<string, { readonly tlsKey: string; readonly routes: OutboundRoutes }>()
  // The last address asked for is mostly the next one: of a chat, the service's own.
  let last:
    | {
        readonly url: string
        readonly tlsKey: string | undefined
        readonly origin: string
        readonly agent: Dispatcher
      }
    | undefined

  function routesFor({ protocol, origin }: URL, tlsKey: string | undefined): OutboundRoutes {
    if (tlsKey === undefined) return routes
    if (protocol !== 'https:') throw new OtherTlsKeyError()
    const known = attested.get(origin)
    if (known?.tlsKey === tlsKey) return known.routes
    const checked = routesBy(tlsKey)
    attested.set(origin, { tlsKey, routes: checked })
    // Replies in progress are completed.
    void known?.routes.retire()
    return checked
  }

  return {
    fetch: async (url, init) => {
      const { tlsKey } = init
      if (last?.url !== url || last.tlsKey !== tlsKey) {
        const to = new URL(url)
        last = { url, tlsKey, origin: to.origin, agent: routesFor(to, tlsKey).to(to) }
      }
      return dispatch(last.agent, last.origin, url, init)
    },
    ...(routes.proxy !== undefined && {
      proxy: routes.proxy,
      dial: (address: string) => new WebSocket(address, { dispatcher: routes.to(new URL(address)) }),
    }),
    close: async () => {
      await Promise.all(
        [routes, ...[...attested.values()].map((entry) => entry.routes)].map((each) => each.close()),
      )
    },
  }
}

function dispatch(
  agent: Dispatcher,
  origin: string,
  url: string,
  { method, headers, body, signal }: FetchInit,
): Promise<FetchResponse> {
  return new Promise((answered, failed) => {
    if (signal?.aborted) {
      failed(unsent(STOPPED))
      return
    }
    /** Once the request may be on its way. */
    let exchange: Dispatcher.DispatchController | undefined
    let incoming: IncomingBody | undefined
    let trailing: Received = {}
    const stop = (): void => {
      if (exchange) exchange.abort(STOPPED)
      // The connection may take a while, but no caller waits for it any more.
      else failed(unsent(STOPPED))
    }
    const settled = (): void => signal?.removeEventListener('abort', stop)
    signal?.addEventListener('abort', stop, { once: true })
    agent.dispatch(
      { origin, path: url.slice(origin.length) || '/', method, headers, body: outgoing(body), ...NO_LIMITS },
      {
        onRequestStart(controller) {
          // An abort during the connection prevents the write.
          if (signal?.aborted) controller.abort(STOPPED)
          else exchange = controller
        },
        onResponseStart(controller, status, received) {
          // An informational answer is followed by the one that counts.
          if (status < 200) return
          incoming = new IncomingBody(controller)
          answered({
            status,
            headers: fieldsOf(() => received),
            trailers: fieldsOf(() => trailing),
            body: incoming,
          })
        },
        onResponseData: (_controller, chunk) => incoming?.push(chunk),
        onResponseEnd(_controller, trailers) {
          settled()
          trailing = trailers
          incoming?.end()
        },
        onResponseError(_controller, failure) {
          settled()
          if (incoming) incoming.end(failure)
          else failed(exchange ? failure : unsent(failure))
        },
      },
    )
  })
}

type Received = Readonly<Record<string, string | readonly string[] | undefined>>

function fieldsOf(received: () => Received): Fields {
  return {
    get: (name) => {
      const value = received()[name.toLowerCase()]
      return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
    },
  }
}

function unsent(cause: Error): UnsentError {
  return cause instanceof UnsentError ? cause : new UnsentError(cause.message, { cause })
}

/** An iterable is streamed: an upload is never completely in memory. */
function outgoing(body: FetchInit['body']): string | Uint8Array | Readable | null {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body ?? null
  return Readable.from(body, { objectMode: false })
}
