import { say, type Said } from '../../shared/say.ts'
import type { PaymentRecord } from './journal.ts'
import type { AskReason } from './payer.ts'

const MAX_WORDS = 120

const because: Record<AskReason, (host: string) => Said> = {
  'first-host': (host) => say('{host} was not paid from here before.', { host }),
  'above-automatic': () => say('It is more than what is paid without asking.'),
  'no-lookup': () => say('This wallet cannot say later what became of a payment.'),
  'paused': () => say('Payments went wrong lately.'),
}

/** What the owner is asked before a payment: how much, to whom, for what, and that it cannot be taken back. */
export function questionOf(record: PaymentRecord, reasons: readonly AskReason[], kind: 'sandbox' | 'service'): Said {
  const { purpose, worth, host } = record
  return [
    ...asked(record),
    ...(worth === undefined ? say('What that is in dollars is not known here.') : []),
    ...(purpose.kind === 'request' && purpose.description !== undefined ? say('The service calls it “{description}”.', { description: cut(purpose.description) }) : []),
    ...reasons.flatMap((reason) => because[reason](host)),
    ...say('A payment is final: nobody can take it back.'),
    ...(kind === 'sandbox' ? say('This is the sandbox: no real money moves.') : []),
  ]
}

function asked({ purpose, amountMsat, worth, host }: PaymentRecord): Said {
  const amount = { msat: amountMsat.toString() }
  const dollars = worth === undefined ? undefined : { usd: worth.toString() }
  if (purpose.kind === 'topup') {
    return dollars
      ? say('Pay {amount} (about {dollars}) over Lightning to {host}, and the wallet’s fee, for a topup of the account?', { amount, dollars, host })
      : say('Pay {amount} over Lightning to {host}, and the wallet’s fee, for a topup of the account?', { amount, host })
  }
  const what = { endpoint: purpose.request.endpoint, subject: cut(purpose.subject) }
  return dollars
    ? say('Pay {amount} (about {dollars}) over Lightning to {host}, and the wallet’s fee, for {endpoint}: {subject}?', { amount, dollars, host, ...what })
    : say('Pay {amount} over Lightning to {host}, and the wallet’s fee, for {endpoint}: {subject}?', { amount, host, ...what })
}

function cut(text: string): string {
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text
}
