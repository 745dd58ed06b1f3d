import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { headersOf } from '../../host/content-security-policy.ts'
import { serveWebRequest } from '../../host/node-adapter.ts'
import { rendererFiles } from '../../host/renderer-files.ts'
import type { BodyBudget } from '../../shared/body-budget.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import type { Fetch } from '../../shared/fetch.ts'
import { msg } from '../../shared/localized-text.ts'
import { parseRequestHead, type RequestHead } from '../../shared/request-head.ts'
import type { Database } from '../database.ts'
import type { AdminSettings } from './admin-settings.ts'
import { createOidcClient } from './oidc.ts'
import {
  clearCookie,
  cookies,
  endSession,
  hashOfToken,
  newToken,
  readCookie,
  setCookie,
  signIn,
} from './sessions.ts'
import { createTeamApi } from './team-api.ts'
import { TeamCaller } from './team-caller.ts'

const CALLBACK = '/sign-in/callback'
const PAGE = '/admin.html'

export interface AdminServerOptions {
  readonly database: Database
  readonly settings: AdminSettings
  readonly bodies: BodyBudget
  readonly fetch: Fetch
}

/** The server of the admin page. */
export interface AdminServer extends AsyncDisposable {
  /** The port that it listens on. */
  readonly port: number
}

/**
 * Serves the admin page on its own address, so that the proxy's port gets no new route. The head of each request is parsed once,
 * and every decision uses the parsed value.
 * @throws {SottoError} proxy/port-taken
 */
export async function startAdminServer({
  database,
  settings: { origin, bind, oidc },
  bodies,
  fetch,
}: AdminServerOptions): Promise<AdminServer> {
  const { host } = new URL(origin)
  const api = createTeamApi(database)
  const provider = createOidcClient({ oidc, redirectUri: `${origin}${CALLBACK}`, fetch })
  let files: ReturnType<typeof rendererFiles> | undefined

  const server = createServer((incoming, outgoing) => {
    const head = parseRequestHead(incoming)
    if (typeof head === 'string') return refuse(outgoing, head === 'malformed-path' ? 400 : 403)
    if (incoming.headers.host !== host) return refuse(outgoing, 403)
    route(head, incoming, outgoing).catch((thrown: unknown) => {
      if (outgoing.headersSent) outgoing.destroy()
      else refuse(outgoing, asSottoError(thrown).status)
    })
  })

  async function route(
    head: RequestHead,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const { method, pathname } = head
    if (pathname.startsWith('/api/') || pathname === '/sign-out') {
      // A browser states the origin of every request that isn't GET or HEAD.
      if (incoming.headers.origin !== origin) return refuse(outgoing, 403)
      const token = readCookie(incoming, cookies.session)
      if (pathname === '/sign-out') return signOut(method, token, outgoing)
      if (!(await TeamCaller.fromSession(database, token))) return refuse(outgoing, 401)
      return serveWebRequest(
        // Read again when the body has arrived, because the member may have been removed while it was sent.
        async (request) => api(request, await TeamCaller.fromSession(database, token)),
        head,
        incoming,
        outgoing,
        { bodies },
      )
    }
    if (method !== 'GET' && method !== 'HEAD') return refuse(outgoing, 404)
    if (pathname === '/sign-in' && method === 'GET') return beginSignIn(outgoing)
    if (pathname === CALLBACK && method === 'GET') return finishSignIn(head, incoming, outgoing)
    return serveFile(method, pathname === '/' ? PAGE : pathname, outgoing)
  }

  async function beginSignIn(outgoing: ServerResponse): Promise<void> {
    const browser = newToken()
    try {
      const url = await provider.begin(browser)
      redirect(outgoing, url.href, [setCookie(cookies.signIn, browser)])
    } catch (thrown) {
      redirect(outgoing, failedAddress(thrown), [])
    }
  }

  async function finishSignIn(
    { href }: RequestHead,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const browser = readCookie(incoming, cookies.signIn)
    const cleared = clearCookie(cookies.signIn)
    try {
      // Without the cookie, another browser began this sign-in.
      if (browser === undefined || !hashOfToken(browser)) throw new SottoError('team/sign-in-failed')
      const token = await signIn(database, await provider.finish(new URL(href, origin), browser))
      redirect(outgoing, '/', [cleared, setCookie(cookies.session, token)])
    } catch (thrown) {
      redirect(outgoing, failedAddress(thrown), [cleared])
    }
  }

  async function signOut(method: string, token: string | undefined, outgoing: ServerResponse): Promise<void> {
    if (method !== 'POST') return refuse(outgoing, 405)
    if (token !== undefined && hashOfToken(token)) await endSession(database, token)
    outgoing.writeHead(204, { 'cache-control': 'no-store', 'set-cookie': clearCookie(cookies.session) }).end()
  }

  async function serveFile(method: string, path: string, outgoing: ServerResponse): Promise<void> {
    if (path !== PAGE && !path.startsWith('/assets/')) return refuse(outgoing, 404)
    // A source checkout without a build has no page.
    files ??= rendererFiles().catch(() => () => Promise.resolve(null))
    const file = await (await files)(path)
    if (!file) return refuse(outgoing, 404)
    outgoing.writeHead(200, {
      ...headersOf(path),
      'content-type': file.mediaType,
      'content-length': file.content.byteLength,
      'cache-control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    outgoing.end(method === 'HEAD' ? undefined : file.content)
  }

  await new Promise<void>((listening, failed) => {
    server.once('error', (cause) =>
      failed(
        new SottoError('proxy/port-taken', {
          detail: msg('The port is {port}.', { port: bind.port }),
          cause,
        }),
      ),
    )
    server.listen(bind.port, bind.host, listening)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : bind.port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** The page shows the reason by its code. */
function failedAddress(thrown: unknown): string {
  return `/?failed=${encodeURIComponent(asSottoError(thrown).code)}`
}

function redirect(outgoing: ServerResponse, location: string, setCookies: readonly string[]): void {
  outgoing
    .writeHead(303, {
      location,
      'set-cookie': [...setCookies],
      'cache-control': 'no-store',
      // The address has the provider's code.
      'referrer-policy': 'no-referrer',
    })
    .end()
}

function refuse(outgoing: ServerResponse, status: number): void {
  outgoing.writeHead(status, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }).end()
}
