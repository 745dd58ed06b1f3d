import { z } from 'zod'
import { imageRules, type ImageRule } from '../../verifier/types.ts'
import { workflowPolicySchema } from './code.ts'

/**
 * The service's own enclave (AWS Nitro), which opens sealed chat requests and passes them on to the model's provider. The service can't
 * read them; the provider can.
 */
export const serviceEnclavePolicySchema = z.object({
  /** Its evidence is at `{baseUrl}/attestation`, chat at `{baseUrl}/v1/chat/completions`. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  /** Where the service publishes which images it runs. The record isn't signed. */
  imageRecordUrl: z.url({ protocol: /^https?$/ }),
  /** The required signer of an image's provenance. */
  provenance: workflowPolicySchema,
})
export type ServiceEnclavePolicy = z.infer<typeof serviceEnclavePolicySchema>

export { imageRules, type ImageRule }
export const imageRuleSchema = z.enum(imageRules)
