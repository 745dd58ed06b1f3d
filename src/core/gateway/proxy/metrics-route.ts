import type { FastifyInstance } from 'fastify'
import { requireGrant } from './key-limits.ts'
import type { Exposition } from './metrics/exposition.ts'
import { limitsOf, type RouteContext } from './route-context.ts'

/**
 * Registers `GET /metrics` for Prometheus, for a key with that permission. It's loaded at the first request.
 * @throws {SottoError} auth/insufficient-scope
 */
export function registerMetrics(
  server: FastifyInstance,
  { backend, now, service, version, tally }: RouteContext,
): void {
  let exposition: Promise<Exposition> | undefined
  server.get('/metrics', async (request, reply) => {
    requireGrant(limitsOf(request), 'metrics')
    exposition ??= Promise.all([import('./metrics/exposition.ts'), import('./metrics/loop-lag.ts')]).then(
      ([{ createExposition }, { LoopLag }]) => {
        const lag = new LoopLag()
        return createExposition({
          tally,
          service,
          version,
          now,
          verdict: () => backend().relay.channel?.current() ?? null,
          budgetsLeft: () => backend().budgetsLeft(),
          liveKeys: () => backend().liveKeys(),
          balance: () => backend().lastBalance(),
          lag: () => lag.read(),
          shared: () => backend().shared?.gauges() ?? [],
        })
      },
    )
    const { contentType, text } = await exposition
    return reply.type(contentType).send(await text())
  })
}
