import { CORE } from '../../../shared/confirm.ts'
import { asSottoError } from '../../../shared/errors.ts'
import type { JobPart } from '../../../shared/job-record.ts'
import type { Asks, PaymentRecord } from '../../payments/index.ts'
import { failureOf } from '../failure.ts'
import type { PayableAsk } from '../service.ts'
import { failedRow, leaving, rowOfPurchase } from './batch-row.ts'
import { isOfTheRow } from './row-failure.ts'
import { fits, priceOf, putRow, type RunningBatch, type SendRow } from './running-batch.ts'

/**
 * Has rows paid by themselves: asks for the price of each, has it paid within the limits, and waits for what was bought; where it was paid
 * before, for that. What cannot be written down, or read, throws store/….
 * @param awaited ids of the purchases that are waited for here, and that nobody else follows meanwhile
 */
export function rowBuyer(batch: RunningBatch, awaited: Set<string>): SendRow {
  const { job, breaker, options } = batch
  const { service, payer, closed } = options
  /** The first payment may be confirmed outside the window, and no caller waits for it; the others are made within the limits, or not at all. */
  let asks: Asks = { asks: 'person', from: CORE }

  /** null where it is not quoted: the row, or the pause, says why. */
  async function quoted(request: PayableAsk, before: JobPart): Promise<PaymentRecord | 'later' | null> {
    try {
      return payer.get(await service.quote({ ask: request, caller: job.caller, signal: closed }))
    } catch (thrown) {
      const failure = asSottoError(thrown)
      // Nothing was paid: it is asked again when it goes on.
      if (failure.code === 'service/rate-limited') return breaker.later(failure) ?? null
      const kept = failureOf(failure)
      if (!isOfTheRow(failure)) breaker.pauseFor(kept)
      else {
        await putRow(batch, failedRow(before, kept))
        breaker.failed(kept)
      }
      return null
    }
  }

  /** @param begin has it paid, or delivered once more */
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
      // The wallet was not asked.
      if (payer.get(purchaseId)?.state === 'quoted') payer.decline(purchaseId)
      const record = await settledPurchase(purchaseId)
      if (!record) return
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

  /** Once it is neither being paid nor delivered; null where this ends before. */
  async function settledPurchase(id: string): Promise<PaymentRecord | null> {
    const over = new AbortController()
    const changes = payer.changes(AbortSignal.any([over.signal, closed]))[Symbol.asyncIterator]()
    try {
      for (let next = changes.next(); ; next = changes.next()) {
        const record = payer.get(id)
        if (!record || (record.state !== 'paying' && !(record.state === 'paid' && !record.delivered)))
          return record
        const { done } = await next
        // The payer, or this, was closed: it goes on after the next start.
        if (done === true) return null
      }
    } finally {
      over.abort()
    }
  }

  return async (before, request) => {
    const former = before.purchaseId === undefined ? null : payer.get(before.purchaseId)
    if (former && mayBePaid(former)) {
      const again: JobPart = { ...before, state: 'sending' }
      await putRow(batch, again)
      return settle(again, former.id, () => payer.retry(former.id, closed))
    }
    const listed = await priceOf(batch, request, before)
    if (listed === null || (listed !== undefined && !fits(batch, listed))) return undefined
    const record = await quoted(request, before)
    if (record === null || record === 'later') return record ?? undefined
    const { id, worth } = record
    // By what the service asks for: without a rate nobody knows it, whatever is listed.
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

function mayBePaid({ state }: PaymentRecord): boolean {
  return (
    state === 'paying' ||
    state === 'held' ||
    state === 'unknown' ||
    state === 'paid' ||
    state === 'undelivered' ||
    state === 'delivered'
  )
}
