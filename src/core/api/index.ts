import { RPCHandler } from '@orpc/server/fetch'
import { asSottoError } from '../../shared/errors.ts'
import { openMediaDoor } from '../studio/index.ts'
import type { ApiContext } from './context.ts'
import { toFailure } from './failure.ts'
import { createRouter, type RequestContext } from './router.ts'

export type { ApiContext, Drill, OpenCore, SandboxControls } from './context.ts'
export { openConversations } from './conversations.ts'
export { KeyActivity } from './key-activity.ts'
export { adoptFirstKey, openLocalKeys, type LocalKeys } from './local-keys.ts'
export { contactsOf } from './contacts.ts'
export { openLowBalance, type LowBalance } from './low-balance.ts'
export { RecentLog } from './recent-log.ts'
export type { RequestContext } from './router.ts'
export { Happenings, standingOf } from './standing.ts'
export { openTopups } from './topups/topups.ts'

/** The one door of the UI: `/api/…`, and files by paths of their own; web-standard in and out. What it does not serve is 404, never an empty 200. */
export function createApi(core: ApiContext): (request: Request, context: RequestContext) => Promise<Response> {
  const handler = new RPCHandler(createRouter(core))
  const ended = soonAfter(core.ended)
  /** A request's signal follows its caller's only while the request itself is there: it stays as long as the answer that it may end. */
  const asked = new WeakMap<ReadableStream, Request>()
  return async (request, context) => {
    const { matched, response } = await handler.handle(request, { prefix: '/api', context })
    if (matched && response.body) asked.set(response.body, request)
    if (matched) return endedWith(ended, await whole(response))
    return await throughMediaDoor(core, request) ?? new Response('Not found', { status: 404 })
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

/**
 * An answer with files is a form, in memory already. The stream that Node makes of one throws where nobody can catch it, and so ends
 * this process, when its reader goes away; bytes do not.
 */
async function whole(response: Response): Promise<Response> {
  const { status, headers } = response
  return headers.get('content-type')?.startsWith('multipart/form-data') === true ? new Response(await response.arrayBuffer(), { status, headers }) : response
}

async function throughMediaDoor(core: ApiContext, request: Request): Promise<Response | null> {
  try {
    const { links, uploads } = core.open().studio
    return await openMediaDoor({ links, uploads, refused: toFailure }).handle(request)
  } catch (thrown) {
    return Response.json(toFailure(asSottoError(thrown)), { status: 422 })
  }
}
