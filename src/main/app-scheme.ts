import { protocol } from 'electron'
import { DIAGRAM_PATH, headersOf } from '../host/content-security-policy.ts'
import { APP_ORIGIN, Caller, type Host } from '../host/host.ts'
import type { RendererFile } from '../host/renderer-files.ts'
import { SottoError } from '../shared/errors.ts'
import { isMediaPath, isUploadPath } from '../shared/file-paths.ts'
import { readBytes } from '../shared/limited-body.ts'
import { parseRequestTarget, type RequestTarget } from '../shared/request-head.ts'

const SCHEME = 'app'
const HOST = 'sotto'
export const WINDOW_ORIGIN = APP_ORIGIN
export const WINDOW_URL = `${WINDOW_ORIGIN}/`
/** The one address that a frame of the window may go to. */
export const DIAGRAM_URL = `${WINDOW_ORIGIN}${DIAGRAM_PATH}`

/** The longest recording that the contract takes, with what goes along: 25 MB. */
const MAX_BODY_BYTES = 26 * 1024 * 1024

/**
 * Before `ready`, and once. Neither `bypassCSP`, nor `corsEnabled`: Electron then refuses every cross-origin fetch of this
 * scheme before it reaches the handler.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

interface AppSchemeParts {
  readonly api: Host['api']
  readonly filesOfCore: Host['files']
  readonly files: (path: string) => Promise<RendererFile | null>
}

/** Serves app://sotto/ on one session: the window's files, and `/api/…` in this process, without a port or a token. */
export function serveAppScheme(owner: { readonly protocol: Electron.Protocol }, parts: AppSchemeParts): void {
  owner.protocol.handle(SCHEME, async (request) => {
    try {
      return await answer(request, parts)
    } catch {
      // Electron would print the error and its cause.
      return new Response(null, { status: 500 })
    }
  })
}

async function answer(request: Request, { api, filesOfCore, files }: AppSchemeParts): Promise<Response> {
  const url = new URL(request.url)
  const target = parseRequestTarget(url.pathname + url.search)
  if (!target) return new Response(null, { status: 400 })
  const initiator = initiatorOf(request)
  const { pathname } = target
  if (url.host !== HOST) return notFound()
  // Only the window's own page may send requests. A request that the browser started, such as a navigation,
  // has no initiator.
  const caller = Caller.fromAppPage(initiator)
  if (pathname.startsWith('/api/'))
    return caller ? callProcedure(target, request, (asked) => api(asked, caller)) : notFound()
  if (isUploadPath(pathname)) return caller ? filesOfCore(uploadOf(target, request)) : notFound()
  if (initiator !== undefined && !caller) return notFound()
  if (isMediaPath(pathname))
    return filesOfCore(new Request(addressOf(target), { method: request.method, headers: request.headers }))
  if (request.method !== 'GET') return notFound()
  const file = await files(pathname)
  if (!file) return notFound()
  const headers = {
    ...headersOf(pathname),
    'content-type': file.mediaType,
    'cache-control': 'no-store',
    'accept-ranges': 'bytes',
  }
  const size = file.content.byteLength
  const range = rangeOf(request.headers.get('range'), size)
  if (range === null) return new Response(file.content, { headers })
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${String(size)}` } })
  const { first, last } = range
  return new Response(file.content.slice(first, last + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${String(first)}-${String(last)}/${String(size)}` },
  })
}

/**
 * One range, as media requests it (RFC 9110, 14.1.2); null without a valid range, which must be ignored.
 */
function rangeOf(
  header: string | null,
  size: number,
): { readonly first: number; readonly last: number } | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '')
    return Number(to) === 0 || size === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, size - Number(to)), last: size - 1 }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return null
  return first >= size
    ? 'unsatisfiable'
    : { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

/** The stream of the answer is the window's only way to say stop: this scheme never aborts `request.signal`. */
async function callProcedure(
  target: RequestTarget,
  { method, headers, body: stream }: Request,
  call: (request: Request) => Promise<Response>,
): Promise<Response> {
  const tooLarge = new SottoError('proxy/body-too-large')
  let body: Uint8Array<ArrayBuffer>
  try {
    body = new Uint8Array(await readBytes(stream, MAX_BODY_BYTES, () => tooLarge))
  } catch (thrown) {
    if (thrown === tooLarge) return new Response(null, { status: 413 })
    throw thrown
  }
  const response = await call(
    new Request(addressOf(target), { method, headers, ...(body.byteLength > 0 && { body }) }),
  )
  const answered = new Headers(response.headers)
  answered.set('cache-control', 'no-store')
  answered.set('x-content-type-options', 'nosniff')
  return new Response(response.body, { status: response.status, headers: answered })
}

/** A file that is uploaded is never whole in memory. */
function uploadOf(target: RequestTarget, { method, headers, body }: Request): Request {
  return new Request(addressOf(target), { method, headers, ...(body && { body, duplex: 'half' }) })
}

function addressOf({ href }: RequestTarget): string {
  return `${WINDOW_ORIGIN}${href}`
}

/** Set by Electron, and unlike Origin and Referer not by the page. An opaque origin is the text "null". */
function initiatorOf(request: Request): unknown {
  return 'initiatorOrigin' in request ? request.initiatorOrigin : undefined
}

function notFound(): Response {
  return new Response(null, { status: 404 })
}
