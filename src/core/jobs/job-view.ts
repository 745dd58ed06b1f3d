import type { BatchRow } from '../../shared/job-rows.ts'
import type { Job } from '../../shared/job.ts'
import type { Payer } from '../payments/index.ts'
import { actionsOf, type PublicJob, type StoredRow } from './index.ts'
import { storedFailure } from '../rpc/failure.ts'
import { purchaseView } from '../payments/purchase-view.ts'

/** A job as the window sees it: with the current state of its purchase, and without internal members. */
export function jobView(
  job: PublicJob,
  payer: Pick<Payer, 'get' | 'asksFor' | 'uriOf'>,
  playMoney: boolean,
): Job {
  const { accountId: _, note: __, purchaseId, failure, files, ...rest } = job
  const record = purchaseId === undefined ? null : payer.get(purchaseId)
  const purchase = record ? purchaseView(record, payer, playMoney) : undefined
  return {
    ...rest,
    kind: job.ask.kind,
    files: [...files],
    may: actionsOf(job),
    ...(purchase && { purchase }),
    ...(failure && { failure: storedFailure(failure) }),
  }
}

/** The limit for a response in a page of rows. The whole response has its own request. */
const SHORT = 2000

/** A row of a batch as the window sees it. */
export function rowView({ part, cells, held: _, price: __, failure, ...rest }: StoredRow): BatchRow {
  return {
    ...rest,
    index: part,
    cells: [...cells],
    ...(failure && { failure: storedFailure(failure) }),
  }
}

/** A row view with at most 2000 UTF-16 units of the response. */
export function shortRowView({ answer, ...row }: StoredRow): BatchRow {
  return rowView({ ...row, ...(answer !== undefined && { answer: answer.slice(0, SHORT) }) })
}
