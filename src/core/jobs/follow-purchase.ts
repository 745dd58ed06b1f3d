import type { JobRecord } from '../../shared/job-record.ts'
import type { JobFile } from '../../shared/job.ts'
import type { PaymentRecord } from '../payments/index.ts'
import type { Store } from '../storage/index.ts'
import { headOf } from './byte-streams.ts'
import type { Jobs } from './jobs.ts'
import type { JobEvent } from './job-state.ts'
import { describe } from './save-results.ts'
import { ANSWER, answerFile } from './send.ts'

export interface FollowOptions {
  readonly jobs: Jobs
  readonly files: Store['jobFiles']
}

/**
 * Updates a job to the state of its purchase. The payer delivers and stores the files
 * (docs/decisions/0006), and the job refers to them. This never pays, and writes nothing if nothing
 * changed.
 */
export async function followPurchase(
  id: string,
  record: PaymentRecord,
  { jobs, files }: FollowOptions,
): Promise<JobRecord> {
  const { state, delivered, failure } = record
  const job = jobs.of(id)
  // The owner requested another delivery in the Wallet.
  const goOn: JobEvent[] =
    job.state === 'failed' && (state === 'paid' || state === 'delivered') ? [{ type: 'resumed' }] : []
  const paid: JobEvent[] = [
    ...goOn,
    { type: 'paying' },
    { type: 'sent', at: record.paidAt ?? record.at },
    { type: 'cost', paidMsat: (record.amountMsat + (record.feeMsat ?? 0n)).toString() },
  ]
  switch (state) {
    case 'quoted':
      return job
    case 'paying':
    case 'held':
    case 'unknown':
      return jobs.apply(id, { type: 'paying' })
    case 'declined':
      return jobs.apply(id, { type: 'stopped' })
    case 'failed':
    case 'expired':
      return jobs.apply(id, failed(failure, 'payment/expired'))
    case 'closed':
      return jobs.apply(id, failed({ code: 'payment/closed-by-user' }, 'payment/closed-by-user'))
    case 'given-up':
      return jobs.apply(id, failed({ code: 'payment/abandoned' }, 'payment/abandoned'))
    case 'paid':
      return jobs.apply(
        id,
        ...paid,
        ...(delivered?.job && delivered.job.id !== ''
          ? [{ type: 'accepted', remoteId: delivered.job.id } satisfies JobEvent]
          : []),
      )
    case 'undelivered':
      return jobs.apply(id, ...paid, failed(failure, 'payment/undelivered'))
    case 'delivered': {
      jobs.apply(id, ...paid)
      const adopted = await adopt(jobs.of(id), record, files)
      return jobs.apply(id, { type: 'answered' }, ...adopted.map((file) => ({ type: 'kept' as const, file })))
    }
  }
}

function failed(
  failure: PaymentRecord['failure'],
  otherwise: 'payment/expired' | 'payment/undelivered' | 'payment/abandoned' | 'payment/closed-by-user',
): JobEvent {
  return {
    type: 'failed',
    code: failure?.code ?? otherwise,
    ...(failure?.detail !== undefined && { detail: failure.detail }),
  }
}

/**
 * Refers to the files of the payer by the same numbers: first the response, then the files that it names,
 * in their order.
 */
async function adopt(
  job: JobRecord,
  { id: paymentId, delivered }: PaymentRecord,
  files: Store['jobFiles'],
): Promise<JobFile[]> {
  const adopted: JobFile[] = []
  for (const [index, { contentType }] of (delivered?.files ?? []).entries()) {
    if (job.files.some((file) => file.index === index)) continue
    const bytes = await files.adopt(job.id, index, { paymentId, index })
    const content = bytes === null ? null : files.stream(job.id, index)
    if (bytes === null || !content) continue
    adopted.push(
      index === ANSWER ? answerFile(contentType, bytes) : describe(job, index, bytes, await headOf(content)),
    )
  }
  return adopted
}
