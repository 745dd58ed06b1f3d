import { z } from 'zod'
import { platforms, type Platform } from '../../verifier/types.ts'
import { codePolicySchema } from './code.ts'
import { nitroPolicySchema } from './nitro.ts'
import { nonceBoundPolicySchema } from './nonce-bound.ts'
import { pinnedMeasurementsSchema, pinnedReleaseSchema } from './pins.ts'
import { sevPolicySchema } from './sev-snp.ts'
import { tdxPolicySchema } from './tdx.ts'

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
