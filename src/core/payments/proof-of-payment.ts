import { formatSats } from '../../shared/format-money.ts'
import type { PaymentRecord } from './journal.ts'

/** For a claim: who holds the preimage of a payment hash has paid the invoice, or was given it by who did. */
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
