import { asSottoError } from '../../../shared/errors.ts'
import type { JobPart, JobRecord } from '../../../shared/job-record.ts'
import { withRetries } from '../../../shared/with-retries.ts'
import type { HandlerOptions } from '../handlers/job-handler.ts'
import { failureOf } from '../failure.ts'
import type { BatchAsk } from '../requests/batch-request.ts'
import type { PayableAsk } from '../service.ts'
import type { BatchBook } from './batch-book.ts'
import type { BatchBreaker } from './batch-breaker.ts'
import { failedRow } from './batch-row.ts'
import { isOfTheRow } from './row-failure.ts'

const SAVE_DELAYS_MS = [500, 2000, 10_000]

/** The state that all rows of a running batch share. */
export interface RunningBatch {
  readonly job: JobRecord
  readonly ask: BatchAsk
  readonly book: BatchBook
  readonly breaker: BatchBreaker
  readonly options: HandlerOptions
}

/**
 * Sends one row. `later`: it was rate limited, and is sent again after its turn. undefined: the row or the
 * pause has the outcome.
 */
export type SendRow = (before: JobPart, request: PayableAsk) => Promise<'later' | undefined>

/**
 * Writes the outcome of a row. A response can't be requested again, so a failed write is retried. A row
 * that is `sending` wasn't sent yet, so it isn't retried: the row isn't sent unless it's recorded. Throws
 * store/unwritable.
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

/**
 * The highest price in pico-USD; undefined if it's unknown. Returns null if the service can't be asked for
 * it: the row or the pause then has the reason.
 */
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
 * Whether the row and all rows before it fit under the cap of the batch. If they don't, that is a reason to
 * pause.
 *
 * @param price pico-USD; undefined if unknown
 */
export function fits({ ask: { most }, book, breaker }: RunningBatch, price: bigint | undefined): boolean {
  if (most === undefined) return true
  if (price === undefined) breaker.pauseFor({ code: 'studio/price-unknown' })
  else if (book.reserved + price > BigInt(most)) breaker.pauseFor({ code: 'studio/cap-reached' })
  else return true
  return false
}
