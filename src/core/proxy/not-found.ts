import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { BodyBudget } from '../../shared/body-budget.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import { withJsonBody } from './read-body.ts'
import { headOf } from './request-heads.ts'
import type { RouteContext } from './route-context.ts'

/** A body that no path would read either. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(['proxy/malformed-json', 'proxy/duplicate-member'])

/** A path that nothing answers: proxy/path-unknown; privacy/path where it was asked for a private model, since that has few paths. */
export function refuseOtherPaths(server: FastifyInstance, { bodies }: RouteContext): void {
  server.setNotFoundHandler(async (request) => {
    if (headOf(request.raw).query.getAll('model').some(isPrivateModel) || await bodyNamesPrivateModel(request.raw, bodies)) throw new SottoError('privacy/path', { param: 'model' })
    throw new SottoError('proxy/path-unknown', { toolDetail: `The request was ${request.method} ${plainPath(headOf(request.raw).pathname)}.` })
  })
}

/** Throws proxy/body-too-large, proxy/busy, request/cancelled. */
async function bodyNamesPrivateModel(request: IncomingMessage, bodies: BodyBudget): Promise<boolean> {
  try {
    return await withJsonBody(request, bodies, ({ model }) => typeof model === 'string' && isPrivateModel(model))
  } catch (thrown) {
    if (thrown instanceof SottoError && UNREADABLE.has(thrown.code)) return false
    throw thrown
  }
}

function plainPath(pathname: string): string {
  return pathname.slice(0, 100).replaceAll(/[^\w/.-]/g, '?')
}
