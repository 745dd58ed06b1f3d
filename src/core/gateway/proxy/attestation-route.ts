import type { FastifyInstance } from 'fastify'
import { SottoError } from '../../../shared/errors.ts'
import { verdictInEnglish, englishVerdictSchema } from '../../../shared/verdict.ts'
import { PREFIXES, type RouteContext } from './route-context.ts'
import { z } from 'zod'

/** The response of `GET /v1/attestation` of the local proxy. */
export const attestationAnswerSchema = z.object({
  /**
   * Whether this verdict allows a private request now. Otherwise the enclave is verified again before one
   * is sealed.
   */
  inForce: z.boolean(),
  /** The last verdict, good or not, with every step; null before the first one. */
  verdict: englishVerdictSchema.nullable(),
})
export type AttestationAnswer = z.infer<typeof attestationAnswerSchema>

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
