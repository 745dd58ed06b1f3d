import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SottoError } from '../shared/errors.ts'
import { say } from '../shared/say.ts'
import type { Host } from './host.ts'
import { isUploadPath } from '../shared/file-paths.ts'
import { parseRequestHead, type RequestHead } from '../shared/request-head.ts'
import { serveWebRequest } from './node-adapter.ts'
import { bytesOf, webStreamOf } from './web-stream.ts'

/** A socket's address holds 108 bytes on Linux and 104 on macOS, its end included. */
const MAX_SOCKET_PATH = 100

export interface OwnerCommands {
  /**
   * Shows the product: answers with the address to open and the file that leads a browser there, or null where a window
   * was brought to the front.
   */
  open(): Promise<{ readonly address: string; readonly redirect: string } | null>
}

/**
 * Commands on this machine act through the owner's socket (0600, in a folder of 0700): the same door as the window's,
 * and `POST /open`. The caller holds the ownership lock, so a socket that is in the way is a dead one. Where the folder's path is too long for
 * a socket it stands in a folder below the temporary one; throws host/owned where that belongs to somebody else.
 */
export async function serveOwnerSocket(dataDir: string, host: Pick<Host, 'asOwner'>, commands: OwnerCommands): Promise<AsyncDisposable> {
  const path = socketPath(dataDir)
  if (process.platform !== 'win32') {
    await ownFolder(dirname(path))
    await rm(path, { force: true })
  }
  const server = createServer((incoming, outgoing) => {
    const head = parseRequestHead(incoming)
    if (typeof head === 'string') {
      outgoing.writeHead(400).end()
      return
    }
    serveWebRequest((request) => route(head, request), head, incoming, outgoing).catch(() => outgoing.destroy())
  })
  async function route({ method, pathname }: RequestHead, request: Request): Promise<Response> {
    if (pathname === '/open' && method === 'POST') return Response.json(await commands.open())
    // Only the owner of the data folder can connect to this socket.
    return host.asOwner(request)
  }
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(path, listening)
  })
  if (process.platform !== 'win32') await chmod(path, 0o600)
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      if (process.platform !== 'win32') await rm(path, { force: true })
    },
  }
}

/** A fetch over the owner's socket. Rejects with host/owned where the owner does not answer, request/cancelled where the request's signal ended it. */
export function ownerFetch(dataDir: string): (request: Request) => Promise<Response> {
  const socket = socketPath(dataDir)
  return async (request) => {
    // eslint-disable-next-line no-restricted-syntax -- a request that this process sends
    const url = new URL(request.url)
    const upload = isUploadPath(url.pathname) ? request.body : null
    const body = request.body && !upload ? Buffer.from(await request.arrayBuffer()) : undefined
    return new Promise((answered, failed) => {
      const outgoing = httpRequest({
        socketPath: socket,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), host: 'sotto' },
        signal: request.signal,
      })
      outgoing.once('error', (cause) => failed(new SottoError(request.signal.aborted ? 'request/cancelled' : 'host/owned', { cause })))
      outgoing.once('response', (incoming) => {
        const headers = new Headers()
        for (const [name, value] of Object.entries(incoming.headers)) if (typeof value === 'string') headers.set(name, value)
        const content = webStreamOf(bytesOf(incoming), () => incoming.destroy())
        answered(new Response(content, { status: incoming.statusCode ?? 502, headers }))
      })
      // What fails is told by the events above.
      if (upload) pipeline(Readable.fromWeb(upload), outgoing).catch(() => undefined)
      else outgoing.end(body)
    })
  }
}

function socketPath(dataDir: string): string {
  const folder = resolve(dataDir)
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\sotto-${name}`
  const path = join(folder, 'sotto.sock')
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : join(tmpdir(), `sotto-${String(ownUserId())}-${name}`, 'sotto.sock')
}

/** In a shared temporary folder somebody else could have made it first. */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = await lstat(folder)
  if (!found.isDirectory() || found.uid !== ownUserId()) throw new SottoError('host/owned', { detail: say('The folder of the owner’s socket belongs to somebody else.') })
}

/** A number alone: in a container, or under a user that a service manager made up, there may be no name for it. */
function ownUserId(): number | undefined {
  return process.getuid?.()
}
