import { z } from 'zod'
import {
  attestationPolicySchema,
  platforms,
  type AttestationPolicy,
  type Platform,
} from './attestation-policy.ts'
import {
  pinnedMeasurementsSchema,
  pinnedReleaseSchema,
  type PinnedMeasurements,
  type PinnedRelease,
} from './pins.ts'
import { sevProductSchema } from './sev-snp.ts'

/** A user's restrictions of a preset. No member can allow anything that the preset refuses. */
export const policyNarrowingSchema = z.strictObject({
  /** Accepts only these of the preset's platforms and AMD products. */
  platforms: z.array(z.enum(platforms)).optional(),
  sevProducts: z.array(sevProductSchema).optional(),
  measurements: pinnedMeasurementsSchema.optional(),
  release: pinnedReleaseSchema.optional(),
})
export type PolicyNarrowing = z.infer<typeof policyNarrowingSchema>

/**
 * Returns the preset with each rule unchanged or stricter. Undefined if nothing remains that it could
 * accept: no platform, product, or pin that the preset and the user share.
 */
export function narrowPolicy(
  preset: AttestationPolicy,
  narrowing: PolicyNarrowing,
): AttestationPolicy | undefined {
  const wanted = (platform: Platform) =>
    preset[platform] !== undefined && (narrowing.platforms?.includes(platform) ?? true)
  const { sevSnp, tdx, nitro, pinnedMeasurements, pinnedRelease, ...rest } = preset
  const products = Object.entries(sevSnp?.products ?? {}).filter(
    ([product]) => narrowing.sevProducts?.some((allowed) => allowed === product) ?? true,
  )
  const measurements = commonMeasurements(pinnedMeasurements, narrowing.measurements)
  const release = commonRelease(pinnedRelease, narrowing.release)
  // Pins of one platform are pins for all: one without any of its own has nothing left that it could show.
  const open = (platform: Platform) =>
    wanted(platform) && (measurements === undefined || (measurements[platform] ?? []).length > 0)
  const narrowed = attestationPolicySchema.safeParse({
    ...rest,
    ...(sevSnp &&
      open('sevSnp') &&
      products.length > 0 && { sevSnp: { ...sevSnp, products: Object.fromEntries(products) } }),
    ...(tdx && open('tdx') && { tdx }),
    // A Nitro enclave names no release that a pin could hold.
    ...(nitro && open('nitro') && release === undefined && { nitro }),
    ...(measurements && { pinnedMeasurements: measurements }),
    ...(release && { pinnedRelease: release }),
  })
  const empty = [release?.tags, release?.digests].some((pins) => pins?.length === 0)
  return narrowed.success && !empty ? narrowed.data : undefined
}

function commonMeasurements(
  a: PinnedMeasurements | undefined,
  b: PinnedMeasurements | undefined,
): PinnedMeasurements | undefined {
  if (!a || !b) return a ?? b
  return {
    sevSnp: common(a.sevSnp ?? [], b.sevSnp ?? []),
    tdx: meets(a.tdx ?? [], b.tdx ?? []),
    nitro: meets(a.nitro ?? [], b.nitro ?? []),
  }
}

function commonRelease(
  a: PinnedRelease | undefined,
  b: PinnedRelease | undefined,
): PinnedRelease | undefined {
  if (!a || !b) return a ?? b
  const tags = a.tags && b.tags ? common(a.tags, b.tags) : (a.tags ?? b.tags)
  const digests = a.digests && b.digests ? common(a.digests, b.digests) : (a.digests ?? b.digests)
  return { ...(tags && { tags }), ...(digests && { digests }) }
}

function common(a: readonly string[], b: readonly string[]): string[] {
  return a.filter((value) => b.includes(value))
}

/**
 * Combines each pair of pins that agree in all shared registers to one pin that requires the registers of
 * both.
 */
function meets<Pin extends Readonly<Record<string, string | undefined>>>(
  as: readonly Pin[],
  bs: readonly Pin[],
): Pin[] {
  return as.flatMap((a) =>
    bs.flatMap((b) => {
      const apart = Object.entries(b).some(
        ([register, value]) => value !== undefined && a[register] !== undefined && a[register] !== value,
      )
      return apart ? [] : [{ ...a, ...b }]
    }),
  )
}
