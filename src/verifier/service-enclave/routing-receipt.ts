import type { Routing } from '../routing.ts'
import { describeReceipt, readReceipt, type ReceiptFacts } from './receipt-facts.ts'
import { readSignature, verifyReceiptSignature } from './receipt-signature.ts'
import { isSameModel } from './same-model.ts'
import type { RoutingReceiptFound } from './types.ts'
import { isExpectedUpstream } from './upstream-hosts.ts'

export interface RoutingReceiptInput {
  readonly found: RoutingReceiptFound
  /** DER SubjectPublicKeyInfo of the attested TLS key (`tlsKey` of the assessment). */
  readonly tlsKey?: Uint8Array | undefined
  /** The `x-request-id` that the request was sent with. */
  readonly requestId: string
  /** The model that was requested. */
  readonly model: string
  /** Unix ms. */
  readonly now: number
}

/** Between the enclave's clock and this one, and for an answer that starts late. */
const MAX_DIFFERENCE_MS = 10 * 60_000

type Refusal = NonNullable<Routing['refusal']>

/**
 * Determines where the enclave sent a request. Never throws. A verified receipt proves that the measured code
 * names this host for this request. It doesn't prove the reply's text, or the provider's behavior.
 *
 * The facts of a refused receipt aren't returned, because they aren't about this request. The proof is
 * returned if the signature is valid.
 */
export function verifyRoutingReceipt(input: RoutingReceiptInput): Routing {
  const {
    found: { receipts, afterData },
    tlsKey,
  } = input
  const [receipt, ...others] = receipts
  if (afterData) return refused('after-data')
  if (!receipt) return { state: 'missing' }
  if (others.length > 0) return refused('repeated')

  const facts = readReceipt(receipt.json)
  if (facts === 'malformed') return refused('malformed')
  const signature = receipt.signature === undefined ? undefined : readSignature(receipt.signature)
  if (receipt.signature !== undefined && !signature) return refused('malformed')
  const invalid = signature && tlsKey && verifyReceiptSignature(tlsKey, receipt.json, signature)
  if (invalid) return refused(invalid)

  const proof: Routing['proof'] = {
    receipt: receipt.json,
    ...(receipt.signature !== undefined && { signature: receipt.signature }),
    ...(signature && tlsKey && { spki: Buffer.from(tlsKey).toString('base64') }),
  }
  const isSigned = proof.spki !== undefined
  const refuse = (refusal: Refusal): Routing => ({ ...refused(refusal), ...(isSigned && { proof }) })
  if (facts === 'version') return refuse(facts)
  const fault = requestFault(facts, input)
  if (fault) return refuse(fault)
  const warnings = warningsOf(facts, input.model)
  return {
    state: isSigned ? 'verified' : 'unsigned',
    ...(warnings.length > 0 && { warnings }),
    ...describeReceipt(facts),
    proof,
  }
}

function refused(refusal: Refusal): Routing {
  return { state: 'refused', refusal }
}

/** Why a receipt isn't about this request. An id that the enclave created isn't bound to what was sent. */
function requestFault(
  { requestId, requestIdSource, issuedAt, requestedModel }: ReceiptFacts,
  input: RoutingReceiptInput,
): Refusal | undefined {
  if (input.requestId === '' || requestId !== input.requestId || requestIdSource !== 'client')
    return 'request'
  if (!(Math.abs(input.now - issuedAt) <= MAX_DIFFERENCE_MS)) return 'time'
  return requestedModel === input.model ? undefined : 'model'
}

function warningsOf(
  { upstream, upstreamSelects, upstreamModel, servedModel }: ReceiptFacts,
  model: string,
): NonNullable<Routing['warnings']> {
  const differs = [upstreamModel, servedModel].some((name) => name !== undefined && !isSameModel(model, name))
  return [
    ...(differs ? ['model-differs' as const] : []),
    ...(isExpectedUpstream(model, upstream) ? [] : ['upstream-unexpected' as const]),
    ...(upstreamSelects ? ['upstream-chooses' as const] : []),
  ]
}
