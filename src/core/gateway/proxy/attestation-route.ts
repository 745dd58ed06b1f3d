import type { FastifyInstance } from 'fastify'
import type { AttestationAnswer } from '../../../shared/attestation-answer.ts'
import { SottoError } from '../../../shared/errors.ts'
import { verdictInEnglish } from '../../../shared/verdict.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'

/**
 * `GET /v1/attestation`: the verdict that private requests rely on, as `attestationAnswerSchema` has it. It is told and not
 * made: nothing is fetched for it. Throws policy/missing where the service has no policy, and so no verdict.
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
