import type { Purchase } from '../../shared/purchase.ts'
import type { Payer, PaymentRecord } from './index.ts'
import { storedFailure } from '../rpc/failure.ts'

/** Builds the view of a payment for a single request; undefined for a payment of another kind. */
export function purchaseView(
  record: PaymentRecord,
  payer: Pick<Payer, 'asksFor' | 'uriOf'>,
  playMoney: boolean,
): Purchase | undefined {
  const { purpose, delivered, failure } = record
  if (purpose.kind !== 'request') return undefined
  const uri = payer.uriOf(record)
  return {
    id: record.id,
    at: record.at,
    caller: record.caller,
    host: record.host,
    endpoint: purpose.request.endpoint,
    subject: purpose.subject,
    state: record.state,
    amountMsat: record.amountMsat.toString(),
    ...(record.worth !== undefined && { worth: record.worth.toString() }),
    ...(record.feeMsat !== undefined && { feeMsat: record.feeMsat.toString() }),
    ...(purpose.listed !== undefined && { listed: purpose.listed.toString() }),
    ...(purpose.description !== undefined && { description: purpose.description }),
    paymentHash: record.paymentHash,
    expiresAt: record.expiresAt,
    asks: [...payer.asksFor(record)],
    ...(uri !== undefined && { uri }),
    payable: !playMoney,
    attempts: record.attempts,
    // The first file is the answer itself, which has its own call.
    files: (delivered?.files ?? [])
      .map(({ contentType, bytes }, index) => ({ index, contentType, bytes }))
      .slice(1),
    ...(delivered?.job && { job: delivered.job }),
    ...(record.receiptId !== undefined && { receiptId: record.receiptId }),
    ...(failure && { failure: storedFailure(failure) }),
  }
}
