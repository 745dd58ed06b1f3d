import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'

/** How long a sign-in in the browser may last. */
const WAIT_MS = 5 * 60_000

/** Waits on this computer for the browser that returns from a sign-in (RFC 8252, section 7.3). */
export interface RedirectListener extends AsyncDisposable {
  readonly redirectUrl: string
  /** The value that the browser must bring back (RFC 6749, section 10.12). */
  readonly state: string
  /**
   * The parameters that the browser brought back, once.
   * @throws {SottoError} tools/sign-in-refused – another state; tools/sign-in-failed – no browser came in time;
   * request/canceled
   */
  received(signal: AbortSignal): Promise<URLSearchParams>
}

/**
 * Listens on loopback at a random path and port. Any page of the browser can request it, so only the exact path, Host and state
 * count, and the answer contains nothing of the request.
 */
export async function listenForRedirect(): Promise<RedirectListener> {
  const path = `/${randomBytes(16).toString('base64url')}`
  const state = randomBytes(32).toString('base64url')
  let host = ''
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>()
  // Without a caller of received(), a refusal would be unhandled.
  promise.catch(() => undefined)

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = URL.parse(request.url ?? '', `http://${host}`)
    const isOurs = request.method === 'GET' && url?.pathname === path && request.headers.host === host
    if (!isOurs) {
      finish(response, 404, 'Not found.')
      return
    }
    if (!isSame(url.searchParams.get('state') ?? '', state)) {
      finish(response, 400, 'This sign-in was refused. Close this tab and sign in again.')
      reject(new SottoError('tools/sign-in-refused'))
      return
    }
    finish(response, 200, 'Sotto got the answer. Close this tab and return to Sotto.')
    resolve(url.searchParams)
  }
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, answer)
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', listening)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new SottoError('tools/sign-in-failed')
  host = `127.0.0.1:${String(address.port)}`
  return {
    redirectUrl: `http://${host}${path}`,
    state,
    async received(signal) {
      const limit = AbortSignal.timeout(WAIT_MS)
      const ended = AbortSignal.any([signal, limit])
      ended.addEventListener('abort', () =>
        reject(new SottoError(signal.aborted ? 'request/canceled' : 'tools/sign-in-failed')),
      )
      if (signal.aborted) reject(new SottoError('request/canceled'))
      return promise
    },
    async [Symbol.asyncDispose]() {
      reject(new SottoError('request/canceled'))
      await new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      })
    },
  }
}

function finish(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    .end(`${text}\n`)
}

function isSame(received: string, expected: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
