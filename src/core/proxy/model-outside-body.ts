import type { FastifyRequest } from 'fastify'
import { SottoError } from '../../shared/errors.ts'
import { say, type Said } from '../../shared/say.ts'
import { looksPrivate } from '../relay/index.ts'

/**
 * A model stands in the body: in the address or in a header it would be named to everything that the request passes, and could
 * be another one than is judged. Throws privacy/path.
 */
export function refuseModelOutsideBody({ query, raw: { rawHeaders } }: FastifyRequest): void {
  if (typeof query === 'object' && query !== null) {
    for (const [name, value] of Object.entries(query)) if (/model/i.test(name) || textsOf(value).some(looksPrivate)) refuse(say('A model stands in the body and not in the address.'))
  }
  // Line by line as they came, names and values in turn.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (/model/i.test(rawHeaders[at] ?? '') && looksPrivate(rawHeaders[at + 1] ?? '')) refuse(say('A model stands in the body and not in the headers.'))
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap(textsOf) : typeof value === 'string' ? [value] : []
}

function refuse(detail: Said): never {
  throw new SottoError('privacy/path', { detail, param: 'model' })
}
