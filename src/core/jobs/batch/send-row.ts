import { asSottoError, type SottoError } from '../../../shared/errors.ts'
import type { JobPart } from '../../../shared/job-record.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import { failureOf } from '../failure.ts'
import { answeredRow, failedRow, leaving, unknownRow, unsent } from './batch-row.ts'
import { classifyRowFailure } from './row-failure.ts'
import { fits, priceOf, putRow, type RunningBatch, type SendRow } from './running-batch.ts'

const MAX_ANSWER_BYTES = 32 * 1024 * 1024

/**
 * Sends rows that the balance pays for. Each row is recorded as sent before it's sent. Throws only store/…,
 * if a row can't be written.
 */
export function rowSender(batch: RunningBatch): SendRow {
  const { job, breaker, options } = batch
  const { service, closed, files, now } = options

  async function recordFailure(
    sent: JobPart,
    failure: SottoError,
    receiptId = failure.details.receiptId,
  ): Promise<'later' | undefined> {
    const reason = failureOf(failure)
    switch (classifyRowFailure(failure)) {
      case 'later':
        await putRow(batch, unsent(sent))
        return breaker.later(failure)
      case 'pause':
        await putRow(batch, unsent(sent))
        breaker.pauseFor(reason)
        return undefined
      case 'unknown':
        await putRow(batch, unknownRow(sent, receiptId))
        breaker.unknown()
        return undefined
      case 'failed':
        await putRow(batch, failedRow(sent, reason, receiptId))
        breaker.failed(reason)
        return undefined
      case 'failed-unpaid':
        await putRow(batch, failedRow(unsent(sent), reason, receiptId))
        breaker.failed(reason)
        return undefined
    }
  }

  return async (before, request) => {
    // The owner chose the account that pays.
    if (service.accountId() !== job.accountId) {
      breaker.pauseFor({
        code: 'service/no-account',
        detail: msg('The job is paid from the account it was started with.'),
      })
      return undefined
    }
    const price = await priceOf(batch, request, before)
    if (price === null || !fits(batch, price)) return undefined
    const sent = leaving(before, { at: Math.trunc(now()), price: price ?? 0n })
    await putRow(batch, sent)
    let receiptId: string | undefined
    let bytes: Uint8Array
    let cost: string | undefined
    try {
      const answer = await service.open({
        ask: request,
        caller: job.caller,
        signal: closed,
        mayPayPerRequest: false,
      })
      receiptId = answer.receiptId
      bytes = await readBytes(answer.body, MAX_ANSWER_BYTES)
      cost = answer.receipt()?.cost
    } catch (thrown) {
      return recordFailure(sent, asSottoError(thrown), receiptId)
    }
    breaker.answered()
    await putRow(batch, await answeredRow(job.id, sent, bytes, { cost, receiptId }, files))
    return undefined
  }
}
