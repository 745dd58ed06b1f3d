import type { IncomingMessage, ServerResponse } from 'node:http'

const PREFLIGHT_SECONDS = '600'
/** Field names (RFC 9110 5.1), as a preflight lists them. */
const FIELD_NAMES = /^[\w!#$%&'*+.^`|~-]+(, ?[\w!#$%&'*+.^`|~-]+){0,63}$/
const EXPOSED =
  'x-sotto-model, x-sotto-privacy, x-sotto-receipt, x-sotto-service, x-sotto-ignored, x-should-retry, x-request-id, request-id, server-timing, retry-after'

/**
 * Lets an allowed page read the answer (Fetch, CORS protocol). Credentials are never allowed: a page sends
 * its own local key in a header. The headers are set on the response, so that every way of answering includes
 * them.
 */
export function letPageRead(origin: string, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', EXPOSED)
  response.setHeader('vary', 'Origin')
}

/** Whether an allowed page asks which requests it may send. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/**
 * Answers a preflight, identically for every path and without a key, because a preflight can't carry one. It
 * also permits a page of a public site to use a private address (Private Network Access): allowing the page
 * means that.
 */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  const requestedHeaders = headers['access-control-request-headers']
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  if (requestedHeaders !== undefined && FIELD_NAMES.test(requestedHeaders))
    response.setHeader('access-control-allow-headers', requestedHeaders)
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('access-control-allow-private-network', 'true')
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
}
