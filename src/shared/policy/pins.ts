import { z } from 'zod'
import { hexOf } from './code.ts'

/** An empty pin would accept everything, and look as if it did not. */
function pinsSomething(pin: Readonly<Record<string, unknown>>): boolean {
  return Object.values(pin).some((value) => value !== undefined)
}

/** The registers by which each platform tells which code runs, as a user pins them. One left out of a pin may have any value. */
export const pinnedMeasurementsSchema = z.strictObject({
  /** Launch measurements. */
  sevSnp: z.array(hexOf(48)).optional(),
  tdx: z
    .array(
      z
        .strictObject({ mrtd: hexOf(48), rtmr0: hexOf(48), rtmr1: hexOf(48), rtmr2: hexOf(48) })
        .partial()
        .refine(pinsSomething),
    )
    .optional(),
  nitro: z
    .array(
      z
        .strictObject({ pcr0: hexOf(48), pcr1: hexOf(48), pcr2: hexOf(48) })
        .partial()
        .refine(pinsSomething),
    )
    .optional(),
})
/** If any are pinned, nothing else is accepted: a platform without pins is then refused. */
export type PinnedMeasurements = z.infer<typeof pinnedMeasurementsSchema>

/** The only accepted releases: by tag, by the SHA-256 of the release file, or by both. */
export const pinnedReleaseSchema = z
  .strictObject({
    tags: z.array(z.string().min(1)).optional(),
    digests: z.array(hexOf(32)).optional(),
  })
  .refine(pinsSomething)
export type PinnedRelease = z.infer<typeof pinnedReleaseSchema>
