import { z } from 'zod'
import { codePolicySchema } from './code.ts'
import { hexOf } from './hex.ts'
import { nitroPolicySchema } from './nitro.ts'
import { sevPolicySchema } from './sev-snp.ts'
import { tdxPolicySchema } from './tdx.ts'

/** What the enclave must prove. Data, and part of the profile. A platform without rules of its own is not accepted. */
export const attestationPolicySchema = z.object({
  enclaveHost: z.hostname(),
  /** Suffix of the certificate's key and document labels: `NN<base32>.hpke.<suffix>`. */
  certificateLabelSuffix: z.hostname(),
  sevSnp: sevPolicySchema.optional(),
  tdx: tdxPolicySchema.optional(),
  nitro: nitroPolicySchema.optional(),
  code: codePolicySchema,
  /** The only accepted launch measurements, where the user pinned some. */
  pinnedMeasurements: z.array(hexOf(48)).optional(),
}).refine(({ sevSnp, tdx, nitro }) => sevSnp ?? tdx ?? nitro, 'a policy accepts one platform at least')
export type AttestationPolicy = z.infer<typeof attestationPolicySchema>
