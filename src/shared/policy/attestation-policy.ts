import { z } from 'zod'
import { platforms, type Platform } from '../../verifier/types.ts'
import { codePolicySchema, nonceBoundPolicySchema, hexOf } from './code.ts'
import { pinnedMeasurementsSchema, pinnedReleaseSchema } from './pins.ts'
import { sevPolicySchema } from './sev-snp.ts'
import { tdxPolicySchema } from './tdx.ts'

/** Zeros are what an enclave in debug mode has, whatever it runs. */
const imageMeasurement = hexOf(48).refine((pcr) => !/^0+$/.test(pcr), 'zeros measure nothing')

export const nitroPolicySchema = z.object({
  /** The accepted images: each has its PCR0, and PCR1 and PCR2 if those are pinned too. */
  images: z
    .array(z.object({ pcr0: imageMeasurement, pcr1: hexOf(48).optional(), pcr2: hexOf(48).optional() }))
    .min(1),
})

export { platforms, type Platform }

/** The requirements for an enclave, as data in the profile. A platform without rules isn't accepted. */
export const attestationPolicySchema = z
  .object({
    enclaveHost: z.hostname(),
    /** Suffix of the certificate's key and document labels: `NN<base32>.hpke.<suffix>`. */
    certificateLabelSuffix: z.hostname(),
    sevSnp: sevPolicySchema.optional(),
    tdx: tdxPolicySchema.optional(),
    nitro: nitroPolicySchema.optional(),
    code: codePolicySchema,
    /** Absent if the enclave doesn't answer a nonce with document v3. */
    nonceBound: nonceBoundPolicySchema.optional(),
    /**
     * Releases that were logged before are refused, so that an installation without a memory of newer ones refuses old evidence too.
     * Each version of Sotto raises it.
     */
    minimumLogTime: z.iso.datetime().optional(),
    /** The only accepted measurements, if the user pinned some. */
    pinnedMeasurements: pinnedMeasurementsSchema.optional(),
    /** The only accepted releases, if the user pinned some. */
    pinnedRelease: pinnedReleaseSchema.optional(),
  })
  .refine(
    (policy) => platforms.some((platform) => policy[platform]),
    'a policy accepts one platform at least',
  )
export type AttestationPolicy = z.infer<typeof attestationPolicySchema>
