import { z } from 'zod'
import { routingRefusals, routingStates, routingWarnings } from '../verifier/types.ts'

export { routingRefusals }

export const routingSchema = z.object({
  state: z.enum(routingStates),
  refusal: z.enum(routingRefusals).optional(),
  warnings: z.array(z.enum(routingWarnings)).optional(),
  /** The host that the enclave connected to. */
  upstream: z.string().optional(),
  provider: z.string().optional(),
  /** The model that the provider was asked for. */
  upstreamModel: z.string().optional(),
  /** The model that the provider's answer named: the provider's claim. */
  servedModel: z.string().optional(),
  /**
   * The source of the facts, so that they can be verified again: the receipt's text, its signature, and the
   * TLS key (base64 of DER).
   */
  proof: z
    .object({ receipt: z.string(), signature: z.string().optional(), spki: z.string().optional() })
    .optional(),
})
export type Routing = z.infer<typeof routingSchema>
