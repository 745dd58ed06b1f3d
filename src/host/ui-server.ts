import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Caller } from '../core/core.ts'
import { SottoError } from '../shared/errors.ts'
import { isMediaPath, isUploadPath } from '../shared/file-paths.ts'
import { parseRequestHead, type RequestHead } from '../shared/request-head.ts'
import { msg } from '../shared/localized-text.ts'
import { STREAMS_PATH } from '../shared/stream-procedures.ts'
import { headersOf } from './content-security-policy.ts'
import type { Host } from './host.ts'
import { serveWebRequest } from './node-adapter.ts'
import { rendererFiles, type RendererFile } from './renderer-files.ts'
import { createWindowStreams } from './window-streams.ts'

const LOOPBACK = '127.0.0.1'
const MAX_CODE_BODY = 256

export interface UiServer extends AsyncDisposable {
  /** An address with a fresh single-use code in its fragment, which browsers do not send. */
  newAddress(): string
}

/**
 * Serves the window to browser tabs on this computer. The head of each request is parsed once; every
 * decision uses the parsed value.
 * @param port - 0 for any free one
 * @throws {SottoError} proxy/port-taken
 */
export async function createUiServer(
  host: Pick<Host, 'api' | 'bodies' | 'files' | 'windows'>,
  port: number,
): Promise<UiServer> {
  const { bodies, windows: sessions } = host
  let files: Promise<(path: string) => Promise<RendererFile | null>> | undefined
  const server = createServer((incoming, outgoing) => {
    const head = parseRequestHead(incoming)
    if (typeof head === 'string') return refuse(outgoing, head === 'malformed-path' ? 400 : 403)
    route(head, incoming, outgoing).catch(() => outgoing.destroy())
  })
  const streams = createWindowStreams((token) => {
    const caller = Caller.fromWindowToken(sessions, `Bearer ${token}`)
    return caller && { serve: (request) => host.api(request, caller), ended: sessions.ended(caller.id) }
  }, bodies)
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, first: Buffer) => {
    socket.on('error', () => socket.destroy())
    const head = parseRequestHead(incoming)
    if (head === 'malformed-path') return refuseUpgrade(socket, 400)
    if (typeof head === 'string' || !isFromOwnPage(head, incoming, portOf()))
      return refuseUpgrade(socket, 403)
    // Every browser states the origin of a WebSocket, and only a browser has windows.
    if (incoming.headers.origin === undefined) return refuseUpgrade(socket, 403)
    if (head.pathname !== STREAMS_PATH || head.method !== 'GET') return refuseUpgrade(socket, 404)
    streams.accept(incoming, socket, first).catch(() => socket.destroy())
  })

  async function route(
    head: RequestHead,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { method, pathname } = head
    if (!isFromOwnPage(head, incoming, portOf())) return refuse(outgoing, 403)
    if (pathname === '/session' && method === 'POST') return exchangeCode(incoming, outgoing)
    if (pathname.startsWith('/api/')) {
      const caller = Caller.fromWindowToken(sessions, incoming.headers.authorization)
      if (!caller) return refuse(outgoing, 401)
      return serveWebRequest((request) => host.api(request, caller), head, incoming, outgoing, {
        bodies,
        ended: sessions.ended(caller.id),
      })
    }
    const reads = method === 'GET' || method === 'HEAD'
    if ((isMediaPath(pathname) && reads) || (isUploadPath(pathname) && method === 'PUT')) {
      return serveWebRequest((request) => host.files(request), head, incoming, outgoing, { bodies })
    }
    if (!reads) return refuse(outgoing, 404)
    files ??= rendererFiles()
    const file = await (await files)(pathname)
    if (!file) return refuse(outgoing, 404)
    outgoing.writeHead(200, {
      ...headersOf(pathname, incoming.headers.host),
      'content-type': file.mediaType,
      'content-length': file.content.byteLength,
      'cache-control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    outgoing.end(method === 'HEAD' ? undefined : file.content)
  }

  async function exchangeCode(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.headers['content-type'] !== 'application/json') return refuse(outgoing, 415)
    const code = await readCode(incoming)
    const token = code === null ? null : sessions.exchange(code, incoming.headers['user-agent'])
    if (token === null) return refuse(outgoing, 401)
    outgoing
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify({ token }))
  }

  function portOf(): number {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  await new Promise<void>((listening, failed) => {
    server.once('error', (cause) =>
      failed(new SottoError('proxy/port-taken', { detail: msg('The port is {port}.', { port }), cause })),
    )
    server.listen(port, LOOPBACK, listening)
  })
  return {
    newAddress: () => `http://${LOOPBACK}:${String(portOf())}/#code=${sessions.newCode()}`,
    async [Symbol.asyncDispose]() {
      streams[Symbol.dispose]()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/**
 * Checked on every route, including static files. An attacker's site can only make a browser open the bare
 * page, which shows nothing without a code. It can't frame it, read it, or access other routes.
 */
function isFromOwnPage({ pathname }: RequestHead, { headers }: IncomingMessage, port: number): boolean {
  const loopbackHosts = [`${LOOPBACK}:${String(port)}`, `localhost:${String(port)}`]
  if (!headers.host || !loopbackHosts.includes(headers.host)) return false
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return (
    pathname === '/' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  )
}

async function readCode(incoming: IncomingMessage): Promise<string | null> {
  let text = ''
  for await (const chunk of incoming) {
    text += String(chunk)
    if (text.length > MAX_CODE_BODY) return null
  }
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
      ? body.code
      : null
  } catch {
    return null
  }
}

/** A connection that asks for another protocol has no ServerResponse, and the HTTP server no longer closes it. */
function refuseUpgrade(socket: Duplex, status: 400 | 403 | 404): void {
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  )
}

function refuse(outgoing: ServerResponse, status: 400 | 401 | 403 | 404 | 415): void {
  outgoing
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(`${String(status)}\n`)
}
