import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import type { PaymentJournal } from './journal.ts'

export type CredentialForm = 'l402' | 'payment'

/** As many of the last records tell after a start which form a host took. */
const LOOK_BACK = 200

/** The Authorization field that proves the payment of a challenge (Authentication 5.3); undefined where the challenge does not allow this form. @param preimage 64 hex digits */
export function credentialFor(
  form: CredentialForm,
  { token, echo }: PaymentChallenge,
  preimage: string,
): string | undefined {
  if (form === 'l402') return `L402 ${token}:${preimage}`
  if (!echo) return undefined
  // Every parameter that is known goes back as it came: the service binds the payment to them.
  return `Payment ${Buffer.from(JSON.stringify({ challenge: echo, payload: { preimage } })).toString('base64url')}`
}

/** Which form each host took: it is tried first the next time. */
export class CredentialForms {
  readonly #taken = new Map<string, CredentialForm>()

  constructor(journal: PaymentJournal) {
    try {
      for (const { host, credential } of journal.list(LOOK_BACK))
        if (credential && !this.#taken.has(host)) this.#taken.set(host, credential)
    } catch {
      // A journal that cannot be read: the specified one is tried first, at no cost but a request.
    }
  }

  note(host: string, form: CredentialForm): void {
    this.#taken.set(host, form)
  }

  /** `L402 <token>:<preimage>` first, which is the specified one (Authentication 5.3), then `Payment`. */
  of(host: string): readonly [CredentialForm, CredentialForm] {
    return this.#taken.get(host) === 'payment' ? ['payment', 'l402'] : ['l402', 'payment']
  }
}
