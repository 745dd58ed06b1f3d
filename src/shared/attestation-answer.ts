import { z } from 'zod'
import { englishVerdictSchema } from './verdict.ts'

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
