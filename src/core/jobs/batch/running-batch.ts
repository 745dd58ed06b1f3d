import { asSottoError } from '../../../shared/errors.ts'
import type { JobPart, JobRecord } from '../../../shared/job-record.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'
import { failureOf } from '../failure.ts'
import type { BatchAsk } from '../requests/batch-request.ts'
import type { PayableAsk } from '../service.ts'
import { withRetries } from '../with-retries.ts'
import type { BatchBook } from './batch-book.ts'
import type { BatchBreaker } from './batch-breaker.ts'
import { failedRow } from './batch-row.ts'
import { isOfTheRow } from './row-failure.ts'

const SAVE_DELAYS_MS = [500, 2000, 10_000]

/** A batch whose rows are being sent: what all of them share. */
export interface RunningBatch {
  readonly job: JobRecord
  readonly ask: BatchAsk
  readonly book: BatchBook
  readonly breaker: BatchBreaker
  readonly options: HandlerOptions
}

/** Sends one row. `later`: it was turned away for now, and is sent again after its turn; undefined: the row, or the pause, says what became of it. */
export type SendRow = (before: JobPart, request: PayableAsk) => Promise<'later' | undefined>

/**
 * Writes down what became of a row. It may never come again: a disk that refuses is asked more than once. What is `sending` was not sent
 * yet, and does not leave without being noted. Throws store/unwritable.
 */
export function putRow(
  { book, options }: Pick<RunningBatch, 'book' | 'options'>,
  row: JobPart,
): Promise<void> {
  return withRetries(() => book.put(row), SAVE_DELAYS_MS, {
    wait: options.wait,
    closed: options.closed,
    mayPass: () => row.state !== 'sending',
  })
}

/** Pico-USD, at the most. undefined: not known; null: it cannot be asked for at all, as the row or the pause says. */
export async function priceOf(
  batch: RunningBatch,
  request: PayableAsk,
  before: JobPart,
): Promise<bigint | undefined | null> {
  try {
    const estimate = await batch.options.service.estimate(request)
    return estimate === 'unknown' ? undefined : estimate.most
  } catch (thrown) {
    const failure = asSottoError(thrown)
    if (isOfTheRow(failure)) await putRow(batch, failedRow(before, failureOf(failure)))
    else batch.breaker.pauseFor(failureOf(failure))
    return null
  }
}

/**
 * Whether it may leave under the batch's cap, together with all that has left; where not, that is a reason to pause.
 * @param price pico-USD; undefined where unknown
 */
export function fits({ ask: { most }, book, breaker }: RunningBatch, price: bigint | undefined): boolean {
  if (most === undefined) return true
  if (price === undefined) breaker.pauseFor({ code: 'studio/price-unknown' })
  else if (book.held + price > BigInt(most)) breaker.pauseFor({ code: 'studio/cap-reached' })
  else return true
  return false
}
