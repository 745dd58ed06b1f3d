import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { headersOf, isMediaPath, isUploadPath, rendererFiles, serveWebRequest, type Host, type RendererFile } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { say } from '../shared/say.ts'
import { DoorSessions } from './door-sessions.ts'

const LOOPBACK = '127.0.0.1'
const MAX_CODE_BODY = 256

export interface HeadlessDoor extends AsyncDisposable {
  /** An address with a fresh single-use code in its fragment, which browsers send to nobody. */
  newAddress(): string
}

/** Serves the window to a browser tab on this machine. */
export async function openHeadlessDoor(host: Pick<Host, 'api'>, port: number): Promise<HeadlessDoor> {
  const sessions = new DoorSessions()
  let files: Promise<(path: string) => Promise<RendererFile | null>> | undefined
  const server = createServer((incoming, outgoing) => {
    route(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function route(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/'
    if (!fromThisDoor(incoming, path, portOf())) return refuse(outgoing, 403)
    if (path === '/session' && incoming.method === 'POST') return exchangeCode(incoming, outgoing)
    if (path.startsWith('/api/')) {
      if (!sessions.holds(incoming.headers.authorization)) return refuse(outgoing, 401)
      return serveWebRequest((request) => host.api(request, { caller: 'window' }), incoming, outgoing)
    }
    const reads = incoming.method === 'GET' || incoming.method === 'HEAD'
    if ((isMediaPath(path) && reads) || (isUploadPath(path) && incoming.method === 'PUT')) {
      return serveWebRequest((request) => host.api(request, { caller: 'window' }), incoming, outgoing)
    }
    if (!reads) return refuse(outgoing, 404)
    files ??= rendererFiles()
    const file = await (await files)(path)
    if (!file) return refuse(outgoing, 404)
    outgoing.writeHead(200, {
      ...headersOf(path),
      'content-type': file.mediaType,
      'content-length': file.content.byteLength,
      'cache-control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    outgoing.end(incoming.method === 'HEAD' ? undefined : file.content)
  }

  async function exchangeCode(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.headers['content-type'] !== 'application/json') return refuse(outgoing, 415)
    const code = await readCode(incoming)
    const token = code === null ? null : sessions.exchange(code)
    if (token === null) return refuse(outgoing, 401)
    outgoing.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify({ token }))
  }

  function portOf(): number {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  await new Promise<void>((listening, failed) => {
    server.once('error', (cause) => failed(new SottoError('proxy/port-taken', { detail: say('It is port {port}, of the window.', { port }), cause })))
    server.listen(port, LOOPBACK, listening)
  })
  return {
    newAddress: () => `http://${LOOPBACK}:${String(portOf())}/#code=${sessions.newCode()}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/**
 * Checked on every route, static files included. Another site can only make a browser open the bare page, which holds
 * nothing without a code; it can neither frame it, read it, nor reach past it.
 */
function fromThisDoor({ headers }: IncomingMessage, path: string, port: number): boolean {
  const own = [`${LOOPBACK}:${String(port)}`, `localhost:${String(port)}`]
  if (!headers.host || !own.includes(headers.host)) return false
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return false
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return path === '/' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

async function readCode(incoming: IncomingMessage): Promise<string | null> {
  let text = ''
  for await (const chunk of incoming) {
    text += String(chunk)
    if (text.length > MAX_CODE_BODY) return null
  }
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' ? body.code : null
  } catch {
    return null
  }
}

function refuse(outgoing: ServerResponse, status: 401 | 403 | 404 | 415): void {
  outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end(`${String(status)}\n`)
}
