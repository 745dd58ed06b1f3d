import { formatSats } from '../../shared/format-money.ts'
import type { PaymentRecord } from '../../shared/payment-record.ts'

/**
 * Builds the text for a claim. The holder of a payment hash's preimage has paid the invoice, or got it from
 * the payer.
 */
export function proofText({
  id,
  at,
  host,
  state,
  purpose,
  invoice,
  paymentHash,
  amountMsat,
  feeMsat,
  preimage,
  reservedAt,
  paidAt,
  attempts,
  failure,
}: PaymentRecord): string {
  const time = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString()
  const claim = {
    paidTo: host,
    for:
      purpose.kind === 'topup'
        ? 'topup'
        : `${purpose.request.method} ${purpose.request.path.replace(/\?.*/s, '')} (${purpose.subject})`,
    amount: formatSats(amountMsat.toString()),
    ...(feeMsat !== undefined && { fee: formatSats(feeMsat.toString()) }),
    invoice,
    paymentHash,
    ...(preimage !== undefined && { preimage }),
    ...(purpose.kind === 'request' && purpose.challenge?.echo && { challengeId: purpose.challenge.echo.id }),
    state,
    ...(failure && { why: failure.code }),
    quotedAt: time(at),
    walletAskedAt: time(reservedAt),
    paidAt: time(paidAt),
    attempts,
    record: id,
  }
  return `${JSON.stringify(claim, null, 2)}\n`
}
