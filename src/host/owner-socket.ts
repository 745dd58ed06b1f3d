import { chmod, rm } from 'node:fs/promises'
import { createServer, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { acquireExclusiveLock } from '../core/storage/exclusive-lock.ts'
import { SottoError } from '../shared/errors.ts'
import { isUploadPath } from '../shared/file-paths.ts'
import { parseRequestHead, type RequestHead } from '../shared/request-head.ts'
import type { DataFolder } from './data-folder.ts'
import type { Host } from './host.ts'
import { serveWebRequest, bytesOf, webStreamOf } from './node-adapter.ts'
import { unwritable } from './safe-path.ts'
import { findOwnerSocket, prepareSocketPath } from './socket-place.ts'

export interface OwnerCommands {
  /**
   * Shows the product: returns the address to open and the file that leads a browser there, or null if a
   * window was brought to the front.
   */
  open(): Promise<{ readonly address: string; readonly redirect: string } | null>
}

/**
 * Serves commands on this machine: the window's API, and `POST /open`. The socket has mode 600 and is in a folder of mode 700
 * (see prepareSocketPath). The caller holds the ownership lock, so a socket that is already there is a dead one.
 *
 * @throws {SottoError} host/socket-path-too-long or host/folder-… – if no private folder can hold the socket
 * @throws {SottoError} store/unwritable – if the socket cannot be created
 */
export async function serveOwnerSocket(
  dataDir: string,
  host: Pick<Host, 'asOwner' | 'bodies'>,
  commands: OwnerCommands,
): Promise<AsyncDisposable> {
  const path = await prepareSocketPath(dataDir)
  if (process.platform !== 'win32') await rm(path, { force: true })
  const server = createServer((incoming, outgoing) => {
    const head = parseRequestHead(incoming)
    if (typeof head === 'string') {
      outgoing.writeHead(400).end()
      return
    }
    serveWebRequest((request) => route(head, request), head, incoming, outgoing, {
      bodies: host.bodies,
    }).catch(() => outgoing.destroy())
  })
  async function route({ method, pathname }: RequestHead, request: Request): Promise<Response> {
    if (pathname === '/open' && method === 'POST') return Response.json(await commands.open())
    // Only the owner of the data folder can connect to this socket.
    return host.asOwner(request)
  }
  await new Promise<void>((listening, failed) => {
    server.once('error', (cause) => failed(unwritable(path, cause)))
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

/**
 * Creates a fetch over the owner's socket. Each request checks the socket before it connects (see findOwnerSocket), so that nothing
 * is sent to a socket of another user.
 *
 * @returns a function that rejects with host/already-running if the owner does not answer, with request/canceled if the request was aborted, and
 * with host/socket-unsafe or host/folder-… if the socket or its folder is not this user's own
 */
export function ownerFetch(dataDir: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const socketPath = await findOwnerSocket(dataDir)
    // eslint-disable-next-line no-restricted-syntax -- a request that this process sends
    const url = new URL(request.url)
    const upload = isUploadPath(url.pathname) ? request.body : null
    const body = request.body && !upload ? Buffer.from(await request.arrayBuffer()) : undefined
    return new Promise((answered, failed) => {
      const outgoing = httpRequest({
        socketPath,
        path: `${url.pathname}${url.search}`,
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), host: 'sotto' },
        signal: request.signal,
      })
      outgoing.once('error', (cause) =>
        failed(
          new SottoError(request.signal.aborted ? 'request/canceled' : 'host/already-running', { cause }),
        ),
      )
      outgoing.once('response', (incoming) => {
        const headers = new Headers()
        for (const [name, value] of Object.entries(incoming.headers))
          if (typeof value === 'string') headers.set(name, value)
        const content = webStreamOf(bytesOf(incoming), () => incoming.destroy())
        answered(new Response(content, { status: incoming.statusCode ?? 502, headers }))
      })
      // The events above report a failure.
      if (upload) pipeline(Readable.fromWeb(upload), outgoing).catch(() => undefined)
      else outgoing.end(body)
    })
  }
}

const LOCK_FILE = 'owner.lock'

/** This process is the one that may open, change and serve the data folder. It ends with release() or with the process. */
interface Ownership {
  release(): void
}

/**
 * Takes the lock of a data folder.
 *
 * @returns null while another process, or another part of this one, holds it
 * @throws {SottoError} store/unwritable – if the lock file cannot be created or opened
 * @throws {SottoError} store/damaged – if it is not a lock of Sotto's
 */
export function acquireOwnership({ path }: DataFolder): Ownership | null {
  const lock = join(path, LOCK_FILE)
  try {
    return acquireExclusiveLock(lock)
  } catch (thrown) {
    throw thrown instanceof SottoError ? thrown : unwritable(lock, thrown)
  }
}
