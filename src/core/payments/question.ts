import { msg, type LocalizedText } from '../../shared/localized-text.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'
import type { LightningWallet } from './lightning-wallet.ts'
import type { AskReason } from './payer.ts'

const MAX_WORDS = 120

const because: Record<AskReason, (host: string) => LocalizedText> = {
  'first-host': (host) => msg('This is the first payment to {host} from Sotto.', { host }),
  'above-automatic': () => msg('The amount is above your limit for paying without confirmation.'),
  'no-lookup': () => msg('This wallet can’t look up the status of a payment later.'),
  paused: () => msg('Recent payments failed.'),
}

/**
 * Whether a simulated account is topped up with simulated money. A person then has nothing to lose, so no question is
 * needed. A real wallet is asked about in the sandbox too.
 */
export function isSimulatedTopup(
  { purpose }: PaymentRecord,
  { simulated }: Pick<LightningWallet, 'simulated'>,
  kind: 'sandbox' | 'service',
): boolean {
  return kind === 'sandbox' && simulated === true && purpose.kind === 'topup'
}

/** Builds the question before a payment: the amount, the payee, the purpose, and that it can't be undone. */
export function questionOf(
  record: PaymentRecord,
  reasons: readonly AskReason[],
  kind: 'sandbox' | 'service',
): LocalizedText {
  const { purpose, worth, host } = record
  return [
    ...questionText(record),
    ...(worth === undefined ? msg('The amount in dollars is unknown.') : []),
    ...(purpose.kind === 'request' && purpose.description !== undefined
      ? msg('The service’s description is “{description}”.', { description: cut(purpose.description) })
      : []),
    ...reasons.flatMap((reason) => because[reason](host)),
    ...msg('Payments are final and can’t be reversed.'),
    ...(kind === 'sandbox' ? msg('This is demo mode: no real money moves.') : []),
  ]
}

function questionText({ purpose, amountMsat, worth, host }: PaymentRecord): LocalizedText {
  const amount = { msat: amountMsat.toString() }
  const dollars = worth === undefined ? undefined : { usd: worth.toString() }
  if (purpose.kind === 'topup') {
    return dollars
      ? msg(
          'Pay {amount} (about {dollars}) plus the wallet’s fee over Lightning to {host} for an account top-up?',
          { amount, dollars, host },
        )
      : msg('Pay {amount} plus the wallet’s fee over Lightning to {host} for an account top-up?', {
          amount,
          host,
        })
  }
  const what = { endpoint: purpose.request.endpoint, subject: cut(purpose.subject) }
  return dollars
    ? msg(
        'Pay {amount} (about {dollars}) plus the wallet’s fee over Lightning to {host} for {endpoint}: {subject}?',
        { amount, dollars, host, ...what },
      )
    : msg('Pay {amount} plus the wallet’s fee over Lightning to {host} for {endpoint}: {subject}?', {
        amount,
        host,
        ...what,
      })
}

function cut(text: string): string {
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text
}

/** Builds the question that a person confirms before Sotto stops waiting for the outcome of a payment. */
export function closingQuestion({ host, amountMsat, paymentHash }: PaymentRecord): LocalizedText {
  return msg(
    'Close the payment of {amount} to {host} ({mark}…)? Its outcome isn’t known: the wallet may still pay it. It no longer counts towards your limits, and the wallet can be disconnected. If a proof of payment arrives later, it still counts.',
    { host, amount: { msat: amountMsat.toString() }, mark: paymentHash.slice(0, 16) },
  )
}
