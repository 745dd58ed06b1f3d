import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import type { FrozenRequest } from './journal.ts'

/** A demand for payment. Only one with status 402 to a request without a credential may be paid. */
export interface Demand {
  readonly kind: 'demand'
  readonly status: number
  /** Unix ms, from the answer's Date: the service's clock. */
  readonly date?: number
  readonly challenge: PaymentChallenge
  /** RFC 9457: the reason why a credential was refused. */
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

/**
 * Sends a frozen request only to the service, without a key and without following redirects. The relay
 * implements it.
 */
export interface PaymentTransport {
  /**
   * Sends exactly these bytes, with this Idempotency-Key.
   * @throws {SottoError} neither a demand nor an answer of 2xx: service/unreachable, service/interrupted,
   * service/rate-limited, service/unavailable, payment/credential-refused, …
   */
  send(
    request: FrozenRequest,
    credential: { readonly idempotencyKey: string; readonly authorization?: string },
    signal: AbortSignal,
  ): Promise<TransportResponse>
  /** Fetches a signed address of the service that an answer named: media, or the state of a job. */
  fetchOwn(
    address: string,
    signal: AbortSignal,
  ): Promise<{
    readonly status: number
    readonly contentType: string
    readonly body: AsyncIterable<Uint8Array>
  }>
}
