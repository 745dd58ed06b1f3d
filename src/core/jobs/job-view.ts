import { SottoError } from '../../shared/errors.ts'
import type { Job } from '../../shared/job.ts'
import type { Payer } from '../payments/index.ts'
import { actionsOf, type PublicJob } from './index.ts'
import { toFailure } from '../rpc/failure.ts'
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
    ...(failure && {
      failure: toFailure(
        new SottoError(failure.code, failure.detail === undefined ? {} : { detail: failure.detail }),
      ),
    }),
  }
}
