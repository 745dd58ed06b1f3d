import { z } from 'zod'
import { hexOf } from './hex.ts'

export const nitroPolicySchema = z.object({
  /** The images accepted: each names its PCR0, and PCR1 and PCR2 where those are pinned too. */
  images: z.array(z.object({ pcr0: hexOf(48), pcr1: hexOf(48).optional(), pcr2: hexOf(48).optional() })).min(1),
})
export type NitroPolicy = z.infer<typeof nitroPolicySchema>
