import { RPCHandler } from '@orpc/server/fetch'
import { asSottoError } from '../../shared/errors.ts'
import { Caller } from '../gateway/callers/index.ts'
import { createMediaHandler } from '../jobs/index.ts'
import type { ApiContext } from './context.ts'
import { toFailure } from './failure.ts'
import { createRouter } from './router.ts'

const API_PREFIX = '/api'

/**
 * The media types that the contract's client sends. A page of another origin can send neither without a
 * preflight, or without its Origin being checked.
 */
const PROCEDURE_TYPES: ReadonlySet<string> = new Set(['application/json', 'multipart/form-data'])

/**
 * The core's HTTP interface, with web-standard requests and responses. Each kind of request has its own
 * method, which can't do anything else.
 */
export interface Api {
  /**
   * Procedures of the contract, below `/api/`: 401 without an authenticated caller, 405 unless POST, 415 for
   * a body of another type, 404 for any other path.
   */
  readonly api: (request: Request, caller: Caller) => Promise<Response>
  /** Files in and out, by paths that contain their own authorization. Any other path is 404. */
  readonly files: (request: Request) => Promise<Response>
}

/** Combines the contract's handlers and the file paths. Neither function throws: failures are answers. */
export function createApi(core: ApiContext): Api {
  const handler = new RPCHandler(createRouter(core))
  const ended = soonAfter(core.ended)
  /**
   * A request's signal follows its caller only while the request is referenced. Each request is referenced as
   * long as the answer that it may end.
   */
  const requests = new WeakMap<ReadableStream, Request>()
  return {
    api: async (request, caller) => {
      // Also refuses a caller that only looks right to the type system, from a test or untyped code.
      if (!Caller.isAuthenticated(caller)) return new Response('Unauthorized', { status: 401 })
      if (request.method !== 'POST')
        return new Response('Method not allowed', { status: 405, headers: { allow: 'POST' } })
      if (!PROCEDURE_TYPES.has(mediaType(request)))
        return new Response('Unsupported media type', { status: 415 })
      const { matched, response } = await handler.handle(request, { prefix: API_PREFIX, context: { caller } })
      if (!matched) return notFound()
      if (response.body) requests.set(response.body, request)
      return endedWith(ended, await whole(response))
    },
    files: (request) => serveFile(core, request),
  }
}

/** The time in which a stream may still report the result of its request after its core has ended. */
const LAST_WORDS_MS = 250

/** Returns a signal that aborts shortly after this one. */
function soonAfter(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => later.abort(), LAST_WORDS_MS), { once: true })
  return later.signal
}

/** Ends a streamed answer with its core. A remaining reader would keep the core's data in memory. */
function endedWith(ended: AbortSignal, response: Response): Response {
  const { status, headers, body } = response
  if (!body || headers.get('content-type')?.startsWith('text/event-stream') !== true) return response
  return new Response(body.pipeThrough(new TransformStream(), { signal: ended }), { status, headers })
}

function mediaType({ headers }: Request): string {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * An answer with files is a form, which is already in memory. If its reader disconnects, Node's stream of a
 * form throws an uncaught error and ends this process. Bytes don't.
 */
async function whole(response: Response): Promise<Response> {
  const { status, headers } = response
  return headers.get('content-type')?.startsWith('multipart/form-data') === true
    ? new Response(await response.arrayBuffer(), { status, headers })
    : response
}

async function serveFile(core: ApiContext, request: Request): Promise<Response> {
  try {
    const { links, uploads } = core.open().studio
    return (await createMediaHandler({ links, uploads, refused: toFailure }).handle(request)) ?? notFound()
  } catch (thrown) {
    return Response.json(toFailure(asSottoError(thrown)), { status: 422 })
  }
}

function notFound(): Response {
  return new Response('Not found', { status: 404 })
}
