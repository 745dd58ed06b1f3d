import type { PaymentRecord } from '../../shared/payment-record.ts'
import { msg, type LocalizedText } from '../../shared/localized-text.ts'

/** Builds the question that a person confirms before Sotto stops waiting for the outcome of a payment. */
export function closingQuestion({ host, amountMsat, paymentHash }: PaymentRecord): LocalizedText {
  return msg(
    'Close the payment of {amount} to {host} ({mark}…)? Its outcome isn’t known: the wallet may still pay it. It no longer counts towards your limits, and the wallet can be disconnected. If a proof of payment arrives later, it still counts.',
    { host, amount: { msat: amountMsat.toString() }, mark: paymentHash.slice(0, 16) },
  )
}
