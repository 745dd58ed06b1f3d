import type { FastifyRequest } from 'fastify'
import { SottoError } from '../../shared/errors.ts'
import { looksPrivate } from '../relay/index.ts'

/**
 * A model stands in the body: in the address or in a header it would be named to everything that the request passes, and could
 * be another one than is judged. Throws privacy/path.
 */
export function refuseModelOutsideBody({ query, headers }: FastifyRequest): void {
  if (typeof query === 'object' && query !== null) {
    for (const [name, value] of Object.entries(query)) if (/model/i.test(name) || textsOf(value).some(looksPrivate)) refuse('address')
  }
  for (const name in headers) if (name.includes('model') && textsOf(headers[name]).some(looksPrivate)) refuse('headers')
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap(textsOf) : typeof value === 'string' ? [value] : []
}

function refuse(where: string): never {
  throw new SottoError('privacy/path', { detail: `A model stands in the body and not in the ${where}.`, param: 'model' })
}
