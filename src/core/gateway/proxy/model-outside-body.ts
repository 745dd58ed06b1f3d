import type { IncomingMessage } from 'node:http'
import { SottoError } from '../../../shared/errors.ts'
import { looksPrivate } from '../relay/index.ts'
import { headOf } from './request-heads.ts'

/**
 * Refuses a model in the URL or in a header. There it would be visible to everything that the request passes,
 * and could differ from the model that Sotto checked in the body.
 * @throws {SottoError} privacy/path
 */
export function refuseModelOutsideBody(request: IncomingMessage): void {
  for (const [name, value] of headOf(request).query)
    if (/model/i.test(name) || looksPrivate(value)) refuse('Name the model in the body, not in the URL.')
  const { rawHeaders } = request
  // `rawHeaders` alternates names and values, in the order of arrival.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (/model/i.test(rawHeaders[at] ?? '') && looksPrivate(rawHeaders[at + 1] ?? ''))
      refuse('Name the model in the body, not in a header.')
  }
}

function refuse(toolDetail: string): never {
  throw new SottoError('privacy/path', { toolDetail, param: 'model' })
}
