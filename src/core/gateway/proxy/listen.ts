import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'

export const LOOPBACK = '127.0.0.1'
const LOOPBACK_IPV6 = '::1'

/** The time limits for a caller in ms, by the names of node:http. */
export interface CallerTimeouts {
  /** From the connection, or the previous answer, to the end of a request's head. */
  readonly headersTimeout: number
  /** To the end of its body. */
  readonly requestTimeout: number
  /** The longest idle time between requests. */
  readonly keepAliveTimeout: number
  /** How often the first two are checked. */
  readonly connectionsCheckingInterval: number
}

/** Long prompts take a while to arrive. An idle connection gets less time. */
export const TIMEOUTS: CallerTimeouts = {
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 30_000,
}

/** How many ports after the default one are tried. */
const MOVES = 20

export interface ListenAddress {
  /** An IPv4 or IPv6 address of this machine, or `0.0.0.0` or `::` for all of them. */
  readonly host: string
  readonly port: number
  /** PEM texts; null for plaintext, which anyone on the network path can read. */
  readonly tls: { readonly certificate: string; readonly key: string } | null
}

/**
 * One server of Sotto: the listener for its requests, and fastify with its own server, which uses the same
 * listener.
 */
export interface AnsweringServer {
  readonly server: FastifyInstance
  readonly answer: RequestListener
}

interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * Listens on 127.0.0.1, and on ::1 if this computer has it. `localhost` means either, so no other program may
 * listen at one of them.
 * @throws {SottoError} proxy/port-taken
 */
export async function listenOnLoopback(
  { server, answer }: AnsweringServer,
  { port, mayMove, timeouts = TIMEOUTS }: { port: number; mayMove: boolean; timeouts?: CallerTimeouts },
): Promise<Listening> {
  await server.ready()
  const ipv6 = createServer(timeouts, answer)
  const close = async (): Promise<void> => {
    server.server.closeAllConnections()
    await Promise.all([server.close(), end(ipv6)])
  }
  for (let candidate = port; ; candidate++) {
    try {
      if (candidate !== 0) await listen(ipv6, LOOPBACK_IPV6, candidate, UNAVAILABLE)
      await server.listen({ host: LOOPBACK, port: candidate })
      const chosen = portOf(server.server)
      if (candidate === 0) await listen(ipv6, LOOPBACK_IPV6, chosen, [...UNAVAILABLE, ...IN_USE])
      return { port: chosen, close }
    } catch (cause) {
      await end(ipv6)
      if (!IN_USE.includes(codeOf(cause)) || !mayMove || candidate - port >= MOVES)
        throw new SottoError('proxy/port-taken', { detail: msg('The port is {port}.', { port }), cause })
    }
  }
}

/** @throws {SottoError} remote-access/address-in-use */
export async function listenBeyond(
  { server, answer }: AnsweringServer,
  { host, port, tls }: ListenAddress,
): Promise<Listening & { readonly name: string }> {
  await server.ready()
  const listener = tls
    ? createTlsServer({ ...TIMEOUTS, cert: tls.certificate, key: tls.key }, answer)
    : createServer(TIMEOUTS, answer)
  try {
    await listen(listener, host, port, [])
  } catch (cause) {
    throw new SottoError('remote-access/address-in-use', {
      detail: msg('The address is {host}, port {port}.', { host, port }),
      cause,
    })
  }
  return {
    name: isIPv6(host) ? `[${host}]` : host,
    port: portOf(listener),
    close: async () => {
      await Promise.all([server.close(), end(listener)])
    },
  }
}

const IN_USE = ['EADDRINUSE', 'EACCES']
/** Codes on a computer without IPv6. */
const UNAVAILABLE = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']

/** Resolves when the server listens, or fails with one of the ignored codes. */
function listen(server: Server, host: string, port: number, ignored: readonly string[]): Promise<void> {
  return new Promise((listening, failed) => {
    const onError = (cause: Error): void => (ignored.includes(codeOf(cause)) ? listening() : failed(cause))
    server.once('error', onError)
    server.listen({ host, port, ipv6Only: host === LOOPBACK_IPV6 }, () => {
      server.off('error', onError)
      listening()
    })
  })
}

function end(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((ended) => server.close(() => ended()))
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}
