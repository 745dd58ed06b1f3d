import type { IncomingMessage, ServerResponse } from 'node:http'

const PREFLIGHT_SECONDS = '600'
/** Field names (RFC 9110 5.1), as a preflight lists them. */
const FIELD_NAMES = /^[\w!#$%&'*+.^`|~-]+(, ?[\w!#$%&'*+.^`|~-]+){0,63}$/
const EXPOSED =
  'x-sotto-model, x-sotto-privacy, x-sotto-receipt, x-sotto-service, x-sotto-ignored, x-should-retry, x-request-id, request-id, server-timing, retry-after'

/**
 * Lets a listed page read the answer (Fetch, CORS protocol). Credentials are never allowed: a page brings a local key of its
 * own, in a header. Headers are set where every way of answering keeps them.
 */
export function letPageRead(origin: string, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', EXPOSED)
  response.setHeader('vary', 'Origin')
}

/** A listed page asks what it may send. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/**
 * The same for every path, there or not, and without a key, since a preflight cannot carry one. It also says that a page of
 * a public site may reach a private address (Private Network Access), which is what listing it means.
 */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const asked = headers['access-control-request-headers']
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  if (asked !== undefined && FIELD_NAMES.test(asked))
    response.setHeader('access-control-allow-headers', asked)
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('access-control-allow-private-network', 'true')
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
}
