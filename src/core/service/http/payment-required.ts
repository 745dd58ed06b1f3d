import { SottoError } from '../../../shared/errors.ts'
import type { FetchResponse } from '../../../shared/fetch.ts'
import type { PaymentChallenge } from '../../../shared/payment-challenge.ts'
import { readErrorText } from './error-text.ts'
import { failureOf } from './failure.ts'
import { parsePaymentChallenge } from './payment-challenge.ts'

/** `service/payment-required`, with what is asked. Nothing has been paid or judged. */
export class PaymentRequiredError extends SottoError {
  override name = 'PaymentRequiredError'
  readonly challenge: PaymentChallenge
  /** The problem's type (RFC 9457), such as `…/problems/malformed-credential`: why a credential did not count. */
  readonly problem: string | undefined
  constructor(challenge: PaymentChallenge, problem: string | undefined) {
    super('service/payment-required')
    this.challenge = challenge
    this.problem = problem
  }
}

/**
 * What a 402 to a request without a key means: PaymentRequiredError where it carries a challenge, service/challenge-invalid
 * where that cannot be read, and what any 402 means where there is none. A 402 to a key is about its balance
 * (Authentication 5.5) and does not come here.
 */
export async function paymentFailure(response: FetchResponse, now: () => number): Promise<SottoError> {
  const said = await readErrorText(response)
  const field = response.headers.get('www-authenticate')
  if (field === null) return failureOf(response, said, now)
  try {
    const challenge = parsePaymentChallenge(field, said.json)
    return challenge ? new PaymentRequiredError(challenge, problemType(said.json?.['type'])) : new SottoError('service/challenge-invalid', { detail: 'It asks for no Lightning payment.' })
  } catch (cause) {
    return new SottoError('service/challenge-invalid', { cause })
  }
}

function problemType(type: unknown): string | undefined {
  return typeof type === 'string' && /^https:\/\/[\w./-]{1,200}$/.test(type) ? type : undefined
}
