import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import type { PaymentChallenge } from '../../../../shared/payment-challenge.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { readErrorText } from './error-text.ts'
import { failureOf } from './failure.ts'
import { parsePaymentChallenge } from './payment-challenge.ts'
import { httpDate } from './retry-after.ts'

/** `service/payment-required`, with what is asked. Nothing has been paid or judged. */
export class PaymentRequiredError extends SottoError {
  override name = 'PaymentRequiredError'
  readonly challenge: PaymentChallenge
  /** The problem's type (RFC 9457), such as `…/problems/malformed-credential`: why a credential did not count. */
  readonly problem: string | undefined
  /** Of the answer: 402, or 401 or 403 where a challenge stands in one. */
  readonly answered: number
  /** Unix ms, by its Date. */
  readonly date: number | undefined
  constructor(
    challenge: PaymentChallenge,
    problem: string | undefined,
    { answered, date }: { readonly answered: number; readonly date?: number | undefined },
  ) {
    super('service/payment-required')
    this.challenge = challenge
    this.problem = problem
    this.answered = answered
    this.date = date
  }
}

/**
 * What the service's refusal of a payable request without a key means. A 402, or a 401 or 403, that carries a challenge is
 * PaymentRequiredError, and service/challenge-invalid where that cannot be read. A 401 or 403 without one is about the proof
 * of payment where there was one (`proven`), else about an account that is missing. A 402 to a key is about its balance
 * (Authentication 5.5) and does not come here. Returned, and not thrown: PaymentRequiredError, service/challenge-invalid,
 * payment/credential-refused, service/no-account, or what another status means.
 */
export async function keylessFailure(
  response: FetchResponse,
  proven: boolean,
  now: () => number,
): Promise<SottoError> {
  const said = await readErrorText(response)
  const failure = failureOf(response, said, now)
  const { status } = response
  if (status !== 401 && status !== 402 && status !== 403) return failure
  const field = response.headers.get('www-authenticate')
  try {
    const challenge = field === null ? undefined : parsePaymentChallenge(field, said.json)
    if (challenge)
      return new PaymentRequiredError(challenge, problemType(said.json?.['type']), {
        answered: status,
        date: httpDate(response.headers.get('date') ?? ''),
      })
  } catch (cause) {
    return new SottoError('service/challenge-invalid', { cause })
  }
  if (status === 402)
    return new SottoError('service/challenge-invalid', {
      detail: msg('The response doesn’t request a Lightning payment.'),
    })
  return new SottoError(proven ? 'payment/credential-refused' : 'service/no-account', failure.details)
}

function problemType(type: unknown): string | undefined {
  return typeof type === 'string' && /^https:\/\/[\w./-]{1,200}$/.test(type) ? type : undefined
}
