/**
 * The state of the claim about where the service's enclave sent a chat request.
 * - `verified`: a receipt that the attested TLS key signed states it for this request.
 * - `unsigned`: the receipt has no signature that can be checked, so the service claims it.
 * - `missing`: no receipt came.
 * - `refused`: the receipt isn't valid for this request.
 */
export const routingStates = ['verified', 'unsigned', 'missing', 'refused'] as const
export type RoutingState = (typeof routingStates)[number]

/**
 * What a person should know in addition to the state.
 * - `model-differs`: the enclave asked the provider for another model, or the provider reports that it served
 * another.
 * - `upstream-unexpected`: the host isn't one of the provider's.
 * - `upstream-chooses`: the host passes requests on to a provider that isn't named.
 */
export const routingWarnings = ['model-differs', 'upstream-unexpected', 'upstream-chooses'] as const

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

/** The result of verifying a routing receipt. */
export interface Routing {
  state: RoutingState
  refusal?: (typeof routingRefusals)[number] | undefined
  warnings?: (typeof routingWarnings)[number][] | undefined
  /** The host that the enclave connected to. */
  upstream?: string | undefined
  provider?: string | undefined
  /** The model that the enclave asked the provider for. */
  upstreamModel?: string | undefined
  /** The model that the provider's reply named: the provider's claim. */
  servedModel?: string | undefined
  /**
   * The source of the facts, to verify them again: the receipt's text, its signature, and the TLS key (base64
   * of DER).
   */
  proof?: { receipt: string; signature?: string | undefined; spki?: string | undefined } | undefined
}
