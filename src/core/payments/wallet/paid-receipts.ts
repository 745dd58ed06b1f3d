import type { Receipt } from '../../../shared/receipt.ts'
import type { PaymentRecord } from '../index.ts'

/** Receipts as the store keeps them: putting one again replaces it. */
export interface StoredReceipts {
  get(id: string): Receipt | null
  put(receipt: Receipt): void
}

/**
 * What was paid stands on the receipt of the request that it was paid for. The price may have been asked by a process that is
 * gone, or that had not written its receipt: then there is one of what the payment knows.
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
  const kept = receipts.get(receiptId)
  if (kept) {
    // Where the price alone had been asked when it was written, nothing had come yet.
    const bytesReceived = kept.bytesReceived === 0 ? received : kept.bytesReceived
    if (kept.paidMsat !== paidMsat || kept.bytesReceived !== bytesReceived)
      receipts.put({ ...kept, paidMsat, bytesReceived })
    return
  }
  // A request that is under way writes its own when it ends.
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
