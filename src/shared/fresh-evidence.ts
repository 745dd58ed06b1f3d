import { z } from 'zod'

/**
 * The source of evidence that answers Sotto's random number. `direct`: the enclave's own server, which then
 * learns this computer's address. `relayed`: the service, which hides the address and may not pass the
 * number on. `never`: no fresh evidence.
 */
export const freshEvidenceSources = ['direct', 'relayed', 'never'] as const
export const freshEvidenceSourceSchema = z.enum(freshEvidenceSources)
export type FreshEvidenceSource = z.infer<typeof freshEvidenceSourceSchema>

export const freshEvidenceViewSchema = z.object({
  /** The user's choice; null before it, which counts as `relayed`. */
  chosen: freshEvidenceSourceSchema.nullable(),
  /** The enclave's own server. */
  host: z.string(),
})
export type FreshEvidenceView = z.infer<typeof freshEvidenceViewSchema>
