import type { PaymentChallenge } from '../../shared/payment-challenge.ts'
import type { PaymentJournal } from '../storage/index.ts'

export type CredentialForm = 'l402' | 'payment'

/** The number of recent records that are searched for the form that a host accepted. */
const LOOK_BACK = 200

/**
 * Builds the Authorization field that proves the payment of a challenge (Authentication 5.3); undefined if
 * the challenge doesn't permit this form.
 * @param preimage 64 hex digits
 */
export function credentialFor(
  form: CredentialForm,
  { token, echo }: PaymentChallenge,
  preimage: string,
): string | undefined {
  if (form === 'l402') return `L402 ${token}:${preimage}`
  if (!echo) return undefined
  // Every known parameter is echoed unchanged, because the service binds the payment to them.
  return `Payment ${Buffer.from(JSON.stringify({ challenge: echo, payload: { preimage } })).toString('base64url')}`
}

/** Remembers the form that each host accepted, to try it first the next time. */
export class CredentialForms {
  readonly #taken = new Map<string, CredentialForm>()

  constructor(journal: PaymentJournal) {
    try {
      for (const { host, credential } of journal.list(LOOK_BACK))
        if (credential && !this.#taken.has(host)) this.#taken.set(host, credential)
    } catch {
      // If the journal is unreadable, the specified form is tried first, which costs only a request.
    }
  }

  note(host: string, form: CredentialForm): void {
    this.#taken.set(host, form)
  }

  /** `L402 <token>:<preimage>` first, which is the specified form (Authentication 5.3), then `Payment`. */
  of(host: string): readonly [CredentialForm, CredentialForm] {
    return this.#taken.get(host) === 'payment' ? ['payment', 'l402'] : ['l402', 'payment']
  }
}
