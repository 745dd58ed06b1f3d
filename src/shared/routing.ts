import { z } from 'zod'

/**
 * What is known of where the service's enclave sent one chat request. `verified`: a receipt signed by the attested TLS key says it for
 * this request. `unsigned`: a receipt came without a signature that can be checked, so it is the service's claim. `missing`: none came.
 * `refused`: one came that isn't valid for this request.
 */
const routingStates = ['verified', 'unsigned', 'missing', 'refused'] as const

/**
 * What a person should know beside the state. `model-differs`: the provider was asked for, or says that it served, another model.
 * `upstream-unexpected`: the host isn't one of the provider's. `upstream-chooses`: the host passes requests on to a provider that isn't named.
 */
const routingWarnings = ['model-differs', 'upstream-unexpected', 'upstream-chooses'] as const

/** Why a receipt is refused. */
export const routingRefusals = [
  'malformed',
  'version',
  'repeated',
  'after-data',
  'algorithm',
  'signature',
  'key',
  'request',
  'time',
  'model',
] as const

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
  /** What the facts come from, so that they can be verified again: the receipt's text, its signature, and the TLS key (base64 of DER). */
  proof: z
    .object({ receipt: z.string(), signature: z.string().optional(), spki: z.string().optional() })
    .optional(),
})
export type Routing = z.infer<typeof routingSchema>
