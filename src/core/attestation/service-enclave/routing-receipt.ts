import type { Routing } from '../../../shared/routing.ts'
import type { RoutingReceiptFound } from './types.ts'

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

export function judgeRoutingReceipt({ found }: RoutingReceiptInput): Routing {
  return found.receipts.length === 0 ? { state: 'missing' } : { state: 'refused', refusal: 'malformed' }
}
