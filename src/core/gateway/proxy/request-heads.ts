import type { IncomingMessage } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import { parseRequestHead, type PathRules, type RequestHead } from '../../../shared/request-head.ts'
import { PREFIXES } from './route-context.ts'

/** What the proxy tolerates in a path. */
export const PROXY_PATHS: PathRules = {
  // A model's ID contains a slash, which official SDKs write as %2F: the rest of these paths is one ID.
  identifiersBelow: PREFIXES.map((prefix) => `${prefix}/models/`),
  base: 'v1',
}

const heads = new WeakMap<IncomingMessage, RequestHead>()

/**
 * Parses the head of a request, before anything else looks at it. From here on the request carries the canonical form of its target,
 * so the router reads the path that the guards decided on.
 *
 * @throws {SottoError} proxy/path-malformed – the path can be read in two ways
 * @throws {SottoError} proxy/host-forbidden – there are two Host headers, or the target names a host too
 */
export function parseHead(request: IncomingMessage): RequestHead {
  const head = parseRequestHead(request, PROXY_PATHS)
  if (head === 'malformed-path') throw new SottoError('proxy/path-malformed')
  if (head === 'ambiguous-host') throw new SottoError('proxy/host-forbidden')
  request.url = head.href
  heads.set(request, head)
  return head
}

/** The head of a request, as parseHead parsed it. */
export function headOf(request: IncomingMessage): RequestHead {
  return heads.get(request) ?? parseHead(request)
}

/** The members of a query, each once. @throws {SottoError} proxy/duplicate-member */
export function queryOf(request: IncomingMessage): Record<string, string> {
  const members: Record<string, string> = {}
  for (const [name, value] of headOf(request).query) {
    if (Object.hasOwn(members, name))
      throw new SottoError('proxy/duplicate-member', { param: name.slice(0, 60) })
    Object.defineProperty(members, name, { value, enumerable: true })
  }
  return members
}
