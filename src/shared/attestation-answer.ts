import { z } from 'zod'
import { englishVerdictSchema } from './verdict.ts'

/** What `GET /v1/attestation` of the local proxy answers. */
export const attestationAnswerSchema = z.object({
  /** Whether a private request would be sealed by this verdict now; otherwise the enclave is proven anew before one is. */
  inForce: z.boolean(),
  /** The last verdict made, good or not, with every step; null before the first one. */
  verdict: englishVerdictSchema.nullable(),
})
export type AttestationAnswer = z.infer<typeof attestationAnswerSchema>
