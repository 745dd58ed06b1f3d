import type { Receipt } from '../../../shared/receipt.ts'
import type { PaymentRecord } from '../index.ts'

/** The receipts in the store. `put` replaces a receipt with the same ID. */
export interface StoredReceipts {
  get(id: string): Receipt | null
  put(receipt: Receipt): void
}

/**
 * Records a payment on the receipt of its request. If an earlier process requested the price, or its receipt
 * isn't written yet, a receipt is created from the payment.
 */
export function notePaid(record: PaymentRecord, receipts: StoredReceipts, service: Receipt['service']): void {
  const { purpose, state, receiptId, amountMsat, feeMsat = 0n, delivered, failure } = record
  if (
    purpose.kind !== 'request' ||
    receiptId === undefined ||
    (state !== 'paid' && state !== 'delivered' && state !== 'undelivered')
  )
    return
  const paidMsat = (amountMsat + feeMsat).toString()
  const received = delivered?.files[0]?.bytes ?? 0
  const stored = receipts.get(receiptId)
  if (stored) {
    // If the receipt was written when only the price had been requested, it has no received bytes.
    const bytesReceived = stored.bytesReceived === 0 ? received : stored.bytesReceived
    if (stored.paidMsat !== paidMsat || stored.bytesReceived !== bytesReceived)
      receipts.put({ ...stored, paidMsat, bytesReceived })
    return
  }
  // A request in progress writes its own receipt when it ends.
  if (state === 'paid') return
  const {
    request: { path, body },
    subject,
  } = purpose
  receipts.put({
    id: receiptId,
    at: record.at,
    caller: record.caller,
    service,
    model: subject.slice(0, 200),
    path: path.replace(/\?.*/s, '').slice(0, 300),
    privacy: 'forwarded',
    ...(state === 'delivered'
      ? { outcome: 'complete' }
      : { outcome: 'failed', ...(failure && { code: failure.code }) }),
    bytesSent: body.byteLength,
    bytesReceived: received,
    paidMsat,
  })
}
