import type { FastifyInstance, FastifyRequest } from 'fastify'
import { presentedKeys, requireLocalKey } from './guards.ts'
import type { RouteContext } from './route-context.ts'

/**
 * Registers `GET /health`: `ok` for every caller on this computer; the state of verification for callers with
 * a key.
 */
export function registerHealth(server: FastifyInstance, context: RouteContext): void {
  server.get('/health', { config: { keyless: true } }, (request) => health(request, context))
}

function health(request: FastifyRequest, context: RouteContext): Record<string, unknown> {
  if (presentedKeys(request.headers).length === 0) return { status: 'ok' }
  const { relay, findKey, limitTime } = context.backend()
  requireLocalKey(request.headers, findKey, limitTime())
  const verdict = relay.channel?.current() ?? null
  return {
    status: 'ok',
    service: context.service,
    attestation: verdict && {
      verified: verdict.good,
      enclave: verdict.enclaveHost,
      measurement: verdict.measurement ?? null,
      verified_at: new Date(verdict.verifiedAt).toISOString(),
      valid_until: new Date(verdict.validUntil).toISOString(),
      failed: verdict.failure ?? null,
    },
  }
}
