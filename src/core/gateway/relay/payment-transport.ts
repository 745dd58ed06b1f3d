import { SottoError } from '../../../shared/errors.ts'
import type { FetchResponse } from '../../../shared/fetch.ts'
import type { PaymentChallenge } from '../../../shared/payment-challenge.ts'
import type { Profile } from '../../../shared/profile.ts'
import type { ServiceAccess } from '../service/http/access.ts'
import { limited } from '../../../shared/limited-body.ts'
import { PaymentRequiredError } from '../service/http/payment-required.ts'
import { perform, type Service, type ServiceRequest } from '../service/http/perform.ts'
import { readMedia } from '../service/inference/media-stream.ts'
import { passFrozen } from '../service/inference/pass-through.ts'
import type { FrozenRequest } from '../../../shared/payment-record.ts'
import { msg } from '../../../shared/localized-text.ts'

/**
 * Corrects an address that the sandbox signed. The sandbox uses another port at each start, so an earlier
 * address is requested at its present one. Addresses of a service, or of any other host, remain unchanged.
 */
export function movedAddress(
  kind: Profile['kind'],
  { baseUrl }: Pick<ServiceAccess, 'baseUrl'>,
  address: string,
): string {
  const url = kind === 'sandbox' ? URL.parse(address) : null
  if (url?.hostname !== new URL(baseUrl).hostname || url.username !== '' || url.password !== '')
    return address
  return new URL(`${url.pathname}${url.search}`, baseUrl).href
}

const MAX_JOB_BYTES = 1024 * 1024

export interface MediaResponse {
  readonly status: number
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
}

/** A demand for payment. Only one with status 402 to a request without a credential may be paid. */
interface PaymentDemand {
  readonly kind: 'demand'
  readonly status: number
  /** Unix ms, from the answer's Date: the service's clock. */
  readonly date?: number
  readonly challenge: PaymentChallenge
  /** RFC 9457: the reason why a credential was refused. */
  readonly problem?: string
}

export interface TransportAnswer extends MediaResponse {
  readonly kind: 'answer'
  readonly receiptId?: string
}

export type TransportResponse = PaymentDemand | TransportAnswer

/**
 * Sends a frozen request only to the service, without a key and without following redirects, as core/payments
 * needs it.
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
  fetchOwn(address: string, signal: AbortSignal): Promise<MediaResponse>
}

/**
 * Creates the transport. It never sends an account's key, because a 402 to a request with a key is about its
 * balance. It follows no redirect, and sends each request once.
 */
export function createPaymentTransport(service: Service, kind: Profile['kind']): PaymentTransport {
  const keyless: Service = { ...service, access: () => withoutCredentials(service.access()) }
  return {
    async send(request, credential, signal) {
      try {
        const answer = await perform(keyless, passFrozen(request, keyless.access()), {
          signal,
          perRequest: credential,
        })
        const { status, contentType, body } = answer
        return { kind: 'answer', status, contentType, body }
      } catch (thrown) {
        if (!(thrown instanceof PaymentRequiredError)) throw thrown
        const { answered, date, challenge, problem } = thrown
        return {
          kind: 'demand',
          status: answered,
          ...(date !== undefined && { date }),
          challenge,
          ...(problem !== undefined && { problem }),
        }
      }
    },
    fetchOwn: (address, signal) =>
      perform(keyless, ownRequest(movedAddress(kind, keyless.access(), address)), { signal }),
  }
}

function withoutCredentials({
  apiKey: _apiKey,
  creditId: _creditId,
  ...place
}: ServiceAccess): ServiceAccess {
  return place
}

/** Creates the request for a signed address: an image, a video, or the state of a job. */
function ownRequest(address: string): ServiceRequest<MediaResponse> {
  return {
    method: 'GET',
    target: { address },
    auth: 'none',
    accept: 'image/*, video/*, application/json',
    repeatable: true,
    read: (response) => Promise.resolve(ownOf(response)),
  }
}

function ownOf(response: FetchResponse): MediaResponse {
  const { status, headers, body } = response
  if (/^application\/json(?:;|$)/i.test(headers.get('content-type') ?? ''))
    return { status, contentType: 'application/json', body: limited(body, MAX_JOB_BYTES) }
  if (status !== 200)
    throw new SottoError('service/response-invalid', { detail: msg('The response is incomplete.') })
  return { status, ...readMedia(response) }
}
