import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobAction } from '../../shared/job.ts'
import { msg } from '../../shared/localized-text.ts'
import { askedAgain } from './job-starts.ts'
import type { JobHandlers } from './handlers/create-handlers.ts'
import { historyMatches } from './history-match.ts'
import type { Studio, StudioOptions } from './index.ts'
import type { JobProgress } from './job-progress.ts'
import type { JobRuns } from './job-runs.ts'
import { actionsOf } from './job-state.ts'
import type { Jobs } from './jobs.ts'
import { ANSWER } from './send.ts'
import type { StudioService } from './service.ts'

export interface JobActionsOptions {
  readonly jobs: Jobs
  readonly parts: StudioOptions['store']['jobParts']
  readonly runs: JobRuns
  readonly handlers: JobHandlers
  readonly progress: JobProgress
  readonly start: Studio['start']
  readonly service: Pick<StudioService, 'accountId' | 'history'>
  readonly payer: Pick<StudioOptions['payer'], 'decline' | 'retry'>
  /** Jobs of which no further part is to be sent, with their next state. */
  readonly stopping: Map<string, 'stopped' | 'paused'>
  readonly closed: AbortSignal
}

/**
 * The actions of a job's owner. Each throws studio/unknown, and studio/invalid-state if `actionsOf` doesn't
 * include it.
 */
export function jobActions({
  jobs,
  parts,
  runs,
  handlers,
  progress,
  start,
  service,
  payer,
  stopping,
  closed,
}: JobActionsOptions): Pick<
  Studio,
  'again' | 'send' | 'settled' | 'stop' | 'pause' | 'resume' | 'poll' | 'compare'
> {
  function requireAction(id: string, action: JobAction): JobRecord {
    const job = jobs.of(id)
    if (!actionsOf(job).includes(action)) throw new SottoError('studio/invalid-state')
    return job
  }

  /**
   * The owner chose the account that pays, and no other account has the job in its history. Throws
   * service/no-account.
   */
  function requireOwnAccount({ pay, accountId }: JobRecord): void {
    if (pay === 'balance' && service.accountId() !== accountId)
      throw new SottoError('service/no-account', {
        detail: msg('The job is paid from the account it was started with.'),
      })
  }

  /**
   * Whether this process sends the job. If it's paid per request, the payer sends it, and the job follows
   * the purchase.
   */
  function isSentHere({ pay, ask }: JobRecord): boolean {
    return pay === 'balance' || handlers[ask.kind].paysParts === true
  }

  return {
    again(id, { pay, most, caller, signal }) {
      const job = requireAction(id, 'again')
      const ask = askedAgain(job)
      // The cap of the whole batch is also the cap of each row.
      const capped = ask.kind === 'batch' && most !== undefined ? { ...ask, most } : ask
      return start({ ask: capped, pay: pay ?? job.pay, most, caller, signal })
    },
    send(id) {
      const job = requireAction(id, 'pay')
      requireOwnAccount(job)
      if (isSentHere(job)) progress.send(id)
      return jobs.of(id)
    },
    async settled(id) {
      const job = jobs.of(id)
      // A job that pays for its parts runs for long, so it isn't awaited.
      if (!isSentHere(job)) await progress.goOn(id)
      return jobs.of(id)
    },
    stop(id) {
      const { purchaseId, state } = requireAction(id, 'stop')
      if (state === 'sending') {
        // The part in progress is completed, because it is paid.
        stopping.set(id, 'stopped')
        return jobs.of(id)
      }
      if (purchaseId !== undefined) payer.decline(purchaseId)
      return jobs.apply(id, { type: 'stopped' })
    },
    pause(id) {
      requireAction(id, 'pause')
      // The parts in progress are completed, because they are paid.
      stopping.set(id, 'paused')
      return jobs.of(id)
    },
    resume(id, { rows = [], most } = {}) {
      const former = requireAction(id, 'resume')
      const { pay, purchaseId, files } = former
      // Fetching or joining files costs nothing more, so any account may be connected.
      if (former.parts && former.parts.done < former.parts.of) requireOwnAccount(former)
      const { state } = jobs.apply(id, ...(most === undefined ? [] : [{ type: 'capped' as const, most }]), {
        type: 'resumed',
      })
      stopping.delete(id)
      if (state === 'ready' && isSentHere(former)) progress.send(id, rows)
      else if (pay === 'single' && purchaseId !== undefined && !files.some(({ index }) => index === ANSWER)) {
        // The job follows the purchase. If the call itself fails, the purchase has the reason.
        void payer.retry(purchaseId, closed).catch((thrown: unknown) => runs.fail(id, thrown))
      } else void progress.goOn(id)
      return jobs.of(id)
    },
    async poll(id) {
      const job = requireAction(id, 'poll')
      // The payer polls a job that is paid per request. For other jobs, the loop that follows the job sees
      // the result and continues.
      if (job.pay === 'single') await progress.goOn(id)
      else await handlers[job.ask.kind].poll?.(job)
      return jobs.of(id)
    },
    async compare(id, signal) {
      const job = requireAction(id, 'compare')
      requireOwnAccount(job)
      return historyMatches(job, { service, parts, signal: AbortSignal.any([signal, closed]) })
    },
  }
}
