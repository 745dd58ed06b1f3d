import type { IncomingMessage } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import { parseRequestHead, type PathRules, type RequestHead } from '../../../shared/request-head.ts'
import { PREFIXES } from './route-context.ts'

/** The exceptions that the proxy permits in a path. */
export const PROXY_PATHS: PathRules = {
  // A model's ID contains a slash, which official SDKs write as %2F: the rest of these paths is one ID.
  identifiersBelow: PREFIXES.map((prefix) => `${prefix}/models/`),
  base: 'v1',
}

const heads = new WeakMap<IncomingMessage, RequestHead>()

/**
 * Parses the head of a request, before all other checks. The request then carries the canonical form of its
 * target, so that the router reads the path that the guards checked.
 * @throws {SottoError} proxy/path-malformed – the path can be read in two ways
 * @throws {SottoError} proxy/host-forbidden – there are two Host headers, or the target also names a host
 */
export function parseHead(request: IncomingMessage): RequestHead {
  const head = parseRequestHead(request, PROXY_PATHS)
  if (head === 'malformed-path') throw new SottoError('proxy/path-malformed')
  if (head === 'ambiguous-host') throw new SottoError('proxy/host-forbidden')
  request.url = head.href
  heads.set(request, head)
  return head
}

/** Returns the head of a request that parseHead has parsed. */
export function headOf(request: IncomingMessage): RequestHead {
  return heads.get(request) ?? parseHead(request)
}

/** Returns the members of a query. @throws {SottoError} proxy/duplicate-member */
export function queryOf(request: IncomingMessage): Record<string, string> {
  const members: Record<string, string> = {}
  for (const [name, value] of headOf(request).query) {
    if (Object.hasOwn(members, name))
      throw new SottoError('proxy/duplicate-member', { param: name.slice(0, 60) })
    Object.defineProperty(members, name, { value, enumerable: true })
  }
  return members
}
