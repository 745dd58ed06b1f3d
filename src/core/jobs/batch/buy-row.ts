import { CORE } from '../../../shared/confirm.ts'
import { asSottoError } from '../../../shared/errors.ts'
import type { JobPart } from '../../../shared/job-record.ts'
import { isPaid, isUncertain } from '../../../shared/payment-record.ts'
import { isSettled, type Asks, type PaymentRecord } from '../../payments/index.ts'
import { failureOf } from '../failure.ts'
import type { PayableAsk } from '../service.ts'
import { failedRow, leaving, rowOfPurchase } from './batch-row.ts'
import { isOfTheRow } from './row-failure.ts'
import { fits, priceOf, putRow, type RunningBatch, type SendRow } from './running-batch.ts'

/**
 * Pays for each row separately: requests its price, pays it within the limits, and waits for the delivery.
 * If the row was paid before, only waits. Throws store/… if a record can't be written or read.
 *
 * @param awaited ids of the purchases that this function waits for; nothing else follows them during that
 * time
 */
export function rowBuyer(batch: RunningBatch, awaited: Set<string>): SendRow {
  const { job, breaker, options } = batch
  const { service, payer, closed } = options
  /**
   * The first payment may be confirmed outside the window, and no caller waits for it. Later payments must
   * be within the limits.
   */
  let asks: Asks = { asks: 'person', from: CORE }

  /** Returns null if there is no quote: the row or the pause then has the reason. */
  async function quoted(request: PayableAsk, before: JobPart): Promise<PaymentRecord | 'later' | null> {
    try {
      return payer.get(await service.quote({ ask: request, caller: job.caller, signal: closed }))
    } catch (thrown) {
      const failure = asSottoError(thrown)
      // Nothing was paid. The row is requested again when the batch resumes.
      if (failure.code === 'service/rate-limited') return breaker.later(failure) ?? null
      const reason = failureOf(failure)
      if (!isOfTheRow(failure)) breaker.pauseFor(reason)
      else {
        await putRow(batch, failedRow(before, reason))
        breaker.failed(reason)
      }
      return null
    }
  }

  /** @param begin starts the payment, or another delivery */
  async function settle(
    sent: JobPart,
    purchaseId: string,
    begin: () => Promise<PaymentRecord>,
  ): Promise<undefined> {
    awaited.add(purchaseId)
    try {
      await begin().catch((thrown: unknown) => {
        if (!closed.aborted) breaker.pauseFor(failureOf(asSottoError(thrown)))
      })
      // The wallet wasn't asked to pay.
      if (payer.get(purchaseId)?.state === 'quoted') payer.decline(purchaseId)
      const record = await payer.settled(purchaseId, closed)
      // The payer or this batch was closed. The purchase continues after the next start.
      if (!isSettled(record)) return
      const row = await rowOfPurchase(job.id, sent, record, options)
      if (row) await putRow(batch, row)
      if (row?.state === 'done') breaker.answered()
      else if (row?.state === 'failed')
        breaker.failed({ code: record.failure?.code ?? 'payment/undelivered' })
      else breaker.pauseFor(record.failure ?? { code: row ? 'payment/expired' : 'payment/unresolved' })
    } finally {
      awaited.delete(purchaseId)
    }
  }

  return async (before, request) => {
    const former = before.purchaseId === undefined ? null : payer.get(before.purchaseId)
    if (former && mayDeliver(former)) {
      const again: JobPart = { ...before, state: 'sending' }
      await putRow(batch, again)
      return settle(again, former.id, () => payer.retry(former.id, closed))
    }
    const listed = await priceOf(batch, request, before)
    if (listed === null || (listed !== undefined && !fits(batch, listed))) return undefined
    const record = await quoted(request, before)
    if (record === null || record === 'later') return record ?? undefined
    const { id, worth } = record
    // Use the higher of the quoted and the listed price. Without an exchange rate the price of the quote is
    // unknown, even if a price is listed.
    const price = worth !== undefined && listed !== undefined && listed > worth ? listed : worth
    if (!fits(batch, price)) {
      payer.decline(id)
      return undefined
    }
    const sent = leaving(before, {
      at: Math.trunc(options.now()),
      price: price ?? listed ?? 0n,
      purchaseId: id,
    })
    await putRow(batch, sent)
    const asked = asks
    asks = { asks: 'tool' }
    return settle(sent, id, () => payer.pay(id, asked, closed))
  }
}

/** The payment succeeded or may have, and its result can still arrive: no person has closed it or given it up. */
function mayDeliver({ state }: PaymentRecord): boolean {
  return isUncertain(state) || (isPaid(state) && state !== 'given-up')
}
