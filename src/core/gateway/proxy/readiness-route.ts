import type { FastifyInstance } from 'fastify'
import { isPrivateModel } from '../../../shared/privacy.ts'
import type { RouteContext } from './route-context.ts'

/** Callers without a key can't cause more requests to the service than one check in this time. */
const CHECKED_MS = 10_000

/**
 * Registers `GET /livez` and `GET /readyz` for supervisors, which have no key. Both are answered at every address, so the
 * answers contain nothing but the state.
 */
export function registerReadiness(server: FastifyInstance, context: RouteContext): void {
  const config = { public: true } as const
  const sends = cachedCheck(() => canSend(context), context.now)
  server.get('/livez', { config }, () => ({ status: 'ok' }))
  server.get('/readyz', { config }, async (_request, reply) => {
    const ok = isUnlocked(context) && (await sends())
    return reply.code(ok ? 200 : 503).send({ status: ok ? 'ok' : 'unavailable' })
  })
}

function isUnlocked({ backend }: RouteContext): boolean {
  try {
    return backend().shared?.isReady() ?? true
  } catch {
    return false
  }
}

/**
 * Whether a request would get through now: the service listed its models within the last hour, and private ones, if any,
 * can be sealed.
 */
async function canSend({ backend, now }: RouteContext): Promise<boolean> {
  try {
    const { models, channel } = backend().relay
    if (!(await models.all()).some(({ id }) => isPrivateModel(id))) return true
    if (!channel) return false
    const current = channel.current()
    if (current?.good === true && now() < current.validUntil) return true
    // Without requests a verdict ends. Supervisors then send none, so nothing else would renew it.
    return (await channel.verify()).good
  } catch {
    // Which of them is missing is in the log, and in /health with a key.
    return false
  }
}

/** Shares one check among all callers until it is too old. */
function cachedCheck(check: () => Promise<boolean>, now: () => number): () => Promise<boolean> {
  let last: { readonly at: number; readonly result: Promise<boolean> } | undefined
  return () => {
    if (last === undefined || Math.abs(now() - last.at) >= CHECKED_MS) last = { at: now(), result: check() }
    return last.result
  }
}
