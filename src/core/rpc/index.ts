import { RPCHandler } from '@orpc/server/fetch'
import { asSottoError } from '../../shared/errors.ts'
import { Caller } from '../gateway/callers/index.ts'
import { createMediaHandler } from '../jobs/index.ts'
import type { ApiContext } from './context.ts'
import { toFailure } from './failure.ts'
import { createRouter } from './router.ts'

export type { ApiContext, SelfTest, UnlockedCore, SandboxControls } from './context.ts'
export { createConversations } from '../conversations/conversations.ts'
export { DoubtChecks } from '../payments/history/doubt-checks.ts'
export { historyPlaceOf } from '../payments/history/list-page.ts'
export { KeyActivity } from '../gateway/local-keys/key-activity.ts'
export {
  adoptFirstKey,
  createLocalKeys,
  type LocalKeys,
  type ToolSecrets,
} from '../gateway/local-keys/local-keys.ts'
export { contactsOf } from '../app/contacts.ts'
export { createLowBalance, type LowBalance } from '../payments/low-balance.ts'
export { recordsNotice } from '../storage/record-changes.ts'
export { RecentLog } from '../app/recent-log.ts'
export { Happenings, appStatusOf } from '../app/app-status.ts'
export { createTopups } from '../payments/topups/topups.ts'

const API_PREFIX = '/api'

/** The media types that the contract's client sends. A page of another origin can send neither of them without asking first, or without its Origin being seen. */
const PROCEDURE_TYPES: ReadonlySet<string> = new Set(['application/json', 'multipart/form-data'])

/** What the core answers; web-standard in and out. Each kind of request has a method of its own, and reaches nothing else. */
export interface Api {
  /** Procedures of the contract, below `/api/`: 401 without an authenticated caller, 405 unless POST, 415 for a body of another type, 404 for anything else. */
  readonly api: (request: Request, caller: Caller) => Promise<Response>
  /** Files in and out, by paths that carry their own authority. Anything else is 404. */
  readonly files: (request: Request) => Promise<Response>
}

/** Joins the contract's handlers and the file paths. Neither function throws: failures are answers. */
export function createApi(core: ApiContext): Api {
  const handler = new RPCHandler(createRouter(core))
  const ended = soonAfter(core.ended)
  /** A request's signal follows its caller only while the request itself is referenced: it is kept as long as the answer that it may end. */
  const asked = new WeakMap<ReadableStream, Request>()
  return {
    api: async (request, caller) => {
      // Not even a caller that the type system let through: a test, or code without types.
      if (!Caller.isAuthenticated(caller)) return new Response('Unauthorized', { status: 401 })
      if (request.method !== 'POST')
        return new Response('Method not allowed', { status: 405, headers: { allow: 'POST' } })
      if (!PROCEDURE_TYPES.has(mediaType(request)))
        return new Response('Unsupported media type', { status: 415 })
      const { matched, response } = await handler.handle(request, { prefix: API_PREFIX, context: { caller } })
      if (!matched) return notFound()
      if (response.body) asked.set(response.body, request)
      return endedWith(ended, await whole(response))
    },
    files: (request) => serveFile(core, request),
  }
}

/** How long a stream may still tell what became of its request once its core has ended. */
const LAST_WORDS_MS = 250

/** Aborts a moment after this signal. */
function soonAfter(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => later.abort(), LAST_WORDS_MS), { once: true })
  return later.signal
}

/** An answer that is streamed ends with the core that it comes from: a reader that stays would keep what that core held in memory. */
function endedWith(ended: AbortSignal, response: Response): Response {
  const { status, headers, body } = response
  if (!body || headers.get('content-type')?.startsWith('text/event-stream') !== true) return response
  return new Response(body.pipeThrough(new TransformStream(), { signal: ended }), { status, headers })
}

function mediaType({ headers }: Request): string {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/**
 * An answer with files is a form, in memory already. The stream that Node makes of one throws where nobody can catch it, and so ends
 * this process, when its reader goes away; bytes do not.
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
