import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import type { FrozenRequest } from './journal.ts'

/** The service wants to be paid. Only what came with status 402 to a request without a credential may be. */
export interface Demand {
  readonly kind: 'demand'
  readonly status: number
  /** Unix ms, by the answer's Date: what the service takes for now. */
  readonly date?: number
  readonly challenge: PaymentChallenge
  /** RFC 9457: why a credential did not count. */
  readonly problem?: string
}

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
  readonly receiptId?: string
}

export type TransportResponse = Demand | Answer

/** Takes a frozen request to the service and nowhere else, without a key and following no redirect. The relay fills it. */
export interface PaymentTransport {
  /**
   * Sends exactly these bytes, with this Idempotency-Key. Throws a coded SottoError for whatever is neither a demand nor an
   * answer of 2xx: service/unreachable, service/interrupted, service/rate-limited, service/unavailable, payment/credential-refused, ….
   */
  send(
    request: FrozenRequest,
    credential: { readonly idempotencyKey: string; readonly authorization?: string },
    signal: AbortSignal,
  ): Promise<TransportResponse>
  /** A signed address of the service's own that an answer named: media, or the state of a job. */
  fetchOwn(
    address: string,
    signal: AbortSignal,
  ): Promise<{
    readonly status: number
    readonly contentType: string
    readonly body: AsyncIterable<Uint8Array>
  }>
}
