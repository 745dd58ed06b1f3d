import { z } from 'zod'

/**
 * Where evidence that answers a random number of ours is asked for. `direct`: from the enclave's own server, which then sees this
 * computer's address. `relayed`: from the service, which hides the address and may not pass it on. `never`: nowhere.
 */
export const freshEvidenceSources = ['direct', 'relayed', 'never'] as const
export const freshEvidenceSourceSchema = z.enum(freshEvidenceSources)
export type FreshEvidenceSource = z.infer<typeof freshEvidenceSourceSchema>

export const freshEvidenceViewSchema = z.object({
  /** What the user chose; null until they were asked, which counts as `relayed`. */
  chosen: freshEvidenceSourceSchema.nullable(),
  /** The enclave's own server. */
  host: z.string(),
})
export type FreshEvidenceView = z.infer<typeof freshEvidenceViewSchema>
