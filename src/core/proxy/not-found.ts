import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import { say } from '../../shared/say.ts'
import { parseBody } from './parse-body.ts'
import { headOf } from './request-heads.ts'

/** A path that nothing answers: proxy/path-unknown; privacy/path where it was asked for a private model, since that has few paths. */
export function refuseOtherPaths(server: FastifyInstance): void {
  server.setNotFoundHandler((request) => {
    if (namesPrivateModel(request)) throw new SottoError('privacy/path', { param: 'model' })
    throw new SottoError('proxy/path-unknown', { detail: say('It was asked for {method} {path}.', { method: request.method, path: plainPath(headOf(request.raw).pathname) }) })
  })
}

function namesPrivateModel(request: FastifyRequest): boolean {
  if (headOf(request.raw).query.getAll('model').some(isPrivateModel)) return true
  try {
    const { model } = parseBody(request.body)
    return typeof model === 'string' && isPrivateModel(model)
  } catch {
    return false
  }
}

function plainPath(pathname: string): string {
  return pathname.slice(0, 100).replaceAll(/[^\w/.-]/g, '?')
}
