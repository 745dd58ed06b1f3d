import { z } from 'zod'
import { hexOf } from './hex.ts'

/** Zeros are what an enclave in debug mode has, whatever it runs. */
const imageMeasurement = hexOf(48).refine((pcr) => !/^0+$/.test(pcr), 'zeros measure nothing')

export const nitroPolicySchema = z.object({
  /** The accepted images: each has its PCR0, and PCR1 and PCR2 if those are pinned too. */
  images: z
    .array(z.object({ pcr0: imageMeasurement, pcr1: hexOf(48).optional(), pcr2: hexOf(48).optional() }))
    .min(1),
})
