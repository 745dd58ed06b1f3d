import { SottoError } from '../../../../shared/errors.ts'
import type { FetchResponse } from '../../../../shared/fetch.ts'
import type { PaymentChallenge } from '../../../../shared/payment-challenge.ts'
import { msg } from '../../../../shared/localized-text.ts'
import { readErrorText } from './error-text.ts'
import { failureOf } from './failure.ts'
import { parsePaymentChallenge } from './payment-challenge.ts'
import { httpDate } from './retry-after.ts'

/** `service/payment-required` with the challenge. Nothing has been paid or checked. */
export class PaymentRequiredError extends SottoError {
  override name = 'PaymentRequiredError'
  readonly challenge: PaymentChallenge
  /**
   * The problem's type (RFC 9457), such as `…/problems/malformed-credential`: why a credential was refused.
   */
  readonly problem: string | undefined
  /** The status of the answer: 402, or 401 or 403 with a challenge. */
  readonly answered: number
  /** Unix ms, from its Date header. */
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
 * Converts the refusal of a payable request without a key. A 402, or a 401 or 403 with a challenge, becomes
 * PaymentRequiredError, or service/challenge-invalid if the challenge is unreadable. A 401 or 403 without a
 * challenge is about the proof of payment if one was sent (`proven`), otherwise about a missing account. A
 * 402 to a request with a key is about its balance (Authentication 5.5) and isn't handled here.
 * @returns PaymentRequiredError, service/challenge-invalid, payment/credential-refused, service/no-account,
 * or the failure of another status
 */
export async function keylessFailure(
  response: FetchResponse,
  proven: boolean,
  now: () => number,
): Promise<SottoError> {
  const errorText = await readErrorText(response)
  const failure = failureOf(response, errorText, now)
  const { status } = response
  if (status !== 401 && status !== 402 && status !== 403) return failure
  const field = response.headers.get('www-authenticate')
  try {
    const challenge = field === null ? undefined : parsePaymentChallenge(field, errorText.json)
    if (challenge)
      return new PaymentRequiredError(challenge, problemType(errorText.json?.['type']), {
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
