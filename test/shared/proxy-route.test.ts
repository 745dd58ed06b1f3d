import fastify from 'fastify'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyBudget } from '../../src/shared/body-budget.ts'
import { proxyRoute, proxyRoutes } from '../../src/shared/proxy-route.ts'
import { RequestTally } from '../../src/core/gateway/proxy/metrics/request-tally.ts'
import { routes } from '../../src/core/gateway/proxy/routes.ts'

/** The paths that the proxy registers, with fastify's placeholders. */
function registeredPaths(): string[] {
  const server = fastify()
  const paths = new Set<string>()
  server.addHook('onRoute', ({ path }) => void paths.add(path))
  for (const register of routes)
    register(server, {
      backend: () => {
        throw new Error('no request is sent')
      },
      bodies: new BodyBudget(),
      service: 'sandbox',
      version: '1',
      tally: new RequestTally(),
      now: () => 0,
      mark: {},
    })
  return [...paths]
}

describe('the route of a path', () => {
  it.each(registeredPaths())('%s is known', (path) => {
    const named = path.replaceAll(/:(\w+)/g, '{$1}')
    expect(proxyRoute(path.replace('*', 'some/thing').replace(':id', 'abc'))).toBe(
      proxyRoutes.find((route) => route === named || route === `/v1${named}`),
    )
  })

  it.each([
    ['/v1/chat/completions', '/v1/chat/completions'],
    ['/chat/completions', '/v1/chat/completions'],
    ['/v1/models/private/model-a', '/v1/models/*'],
    ['/v1/messages/batches', '/v1/messages/*'],
    ['/v1/messages/count_tokens', '/v1/messages/count_tokens'],
    ['/v1/responses/abc', '/v1/responses/{id}'],
    ['/v1/responses/abc/def', '/v1/responses/*'],
    ['/v1', 'unknown'],
    ['/v1/canary', 'unknown'],
    ['/v1/health', 'unknown'],
    ['', 'unknown'],
    ['/unknown', 'unknown'],
  ])('%s belongs to %s', (path, route) => {
    expect(proxyRoute(path)).toBe(route)
  })

  it('contains nothing that a caller chose', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webPath()), (path) => {
        expect(proxyRoutes).toContain(proxyRoute(path))
      }),
    )
  })
})
