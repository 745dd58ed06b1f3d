import { z } from 'zod'
import { hexOf } from './policy/code.ts'
import { imageRuleSchema } from './policy/service-enclave.ts'
import { verdictSchema } from './verdict.ts'
import { verifiedEnclaveSchema } from './verified-enclave.ts'

/**
 * How chat with models that aren't private is sent if the service has an enclave of its own. `relayed`: through that enclave, or not at
 * all. `relayed-if-verified`: visible to the service if the enclave can't be verified. `forwarded`: always visible to the service.
 */
export const chatRoutes = ['relayed', 'relayed-if-verified', 'forwarded'] as const
export const chatRouteSchema = z.enum(chatRoutes)
export type ChatRoute = (typeof chatRoutes)[number]

const pcr0Schema = hexOf(48)

/** An image of the service's enclave that the person accepts; with the commit that it was built from, if that is proven. */
export const acceptedImageSchema = z.object({ pcr0: pcr0Schema, commit: z.string().optional() })
export type AcceptedImage = z.infer<typeof acceptedImageSchema>

/** The user's choices for the service's own enclave, and its verdict. */
export const serviceEnclaveViewSchema = z.object({
  host: z.string(),
  /** The host of the service's record of its images. */
  recordHost: z.string(),
  route: chatRouteSchema,
  rule: imageRuleSchema,
  /** Images that the person approved, and those with verified provenance. */
  approved: z.array(acceptedImageSchema),
  proven: z.array(acceptedImageSchema),
  /** The verdict in force or the last one; null before the first. */
  verdict: verdictSchema.nullable(),
  /** The image that runs, signed by AWS's hardware, also if the verdict refused it. */
  image: pcr0Schema.nullable(),
  /** Every enclave of the service that was verified here, the last seen first: a new image or key is another one. */
  history: z.array(verifiedEnclaveSchema),
})
export type ServiceEnclaveView = z.infer<typeof serviceEnclaveViewSchema>
