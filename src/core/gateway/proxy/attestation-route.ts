import type { FastifyInstance } from 'fastify'
import type { AttestationAnswer } from '../../../shared/attestation-answer.ts'
import { SottoError } from '../../../shared/errors.ts'
import { verdictInEnglish } from '../../../shared/verdict.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/**
 * Registers `GET /v1/attestation`: the verdict in force for private requests, in the shape of
 * `attestationAnswerSchema`. The route reports the verdict and doesn't verify or fetch anything.
 * @throws {SottoError} policy/missing – the service has no policy, and so no verdict
 */
export function registerAttestation(server: FastifyInstance, { backend, now }: RouteContext): void {
  for (const prefix of PREFIXES) {
    server.get(`${prefix}/attestation`, (): AttestationAnswer => {
      const { channel } = backend().relay
      if (!channel) throw new SottoError('policy/missing')
      const verdict = channel.current()
      return {
        inForce: verdict !== null && verdict.good && now() < verdict.validUntil,
        verdict: verdict && verdictInEnglish(verdict),
      }
    })
  }
}
