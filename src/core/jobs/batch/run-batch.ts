import { asSottoError } from '../../../shared/errors.ts'
import { failureOf, type Failure } from '../failure.ts'
import { batchRequest } from '../requests/batch-request.ts'
import type { PayableAsk } from '../service.ts'
import { failedRow } from './batch-row.ts'
import { rowBuyer } from './buy-row.ts'
import { putRow, type RunningBatch } from './running-batch.ts'
import { rowSender } from './send-row.ts'

/** A row of the table, by its index from 0. */
export interface Row {
  readonly index: number
  readonly cells: readonly string[]
}

/**
 * Sends the rows that are `ready`, several at once, until all are sent or the batch has to pause. Resolves
 * once no row is in progress, with the reason to pause. The reason is undefined if there is none, even if
 * the owner stopped the batch or this process ends. Throws store/… if the disk fails, and the errors of
 * reading the rows.
 *
 * @param awaited see rowBuyer
 */
export async function runBatch(
  batch: RunningBatch,
  rows: AsyncIterator<Row>,
  awaited: Set<string>,
): Promise<Failure | undefined> {
  const { job, ask, book, breaker, options } = batch
  const sendRow = job.pay === 'single' ? rowBuyer(batch, awaited) : rowSender(batch)
  let taking: Promise<unknown> = Promise.resolve()

  /** Rows are read one at a time, because they come from one stream. */
  function take(): Promise<Row | null> {
    const next = taking.then(async () => {
      for (;;) {
        const read = await rows.next()
        if (read.done === true) return null
        if (book.stateOf(read.value.index) === 'ready') return read.value
      }
    })
    taking = next.catch(() => undefined)
    return next
  }

  async function send({ index, cells }: Row): Promise<void> {
    const before = options.parts.get(job.id, index) ?? { part: index, state: 'ready' }
    let request: PayableAsk
    try {
      request = batchRequest(ask, cells)
    } catch (thrown) {
      return putRow(batch, failedRow(before, failureOf(asSottoError(thrown))))
    }
    while (await breaker.turn()) if ((await sendRow(before, request)) !== 'later') return
  }

  async function work(most = Infinity): Promise<void> {
    try {
      for (let count = 0; count < most && !breaker.isOver; count++) {
        const row = await take()
        if (!row) return
        await send(row)
      }
    } catch (thrown) {
      breaker.pauseFor(failureOf(asSottoError(thrown)))
      throw thrown
    }
  }

  // A person may confirm the first payment. Send no other row until then.
  if (job.pay === 'single') await work(1)
  const workers = await Promise.allSettled(Array.from({ length: ask.concurrency }, () => work()))
  const broken = workers.find((worker) => worker.status === 'rejected')
  if (broken) throw broken.reason
  return breaker.pause
}
