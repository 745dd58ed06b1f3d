import { SottoError } from '../../shared/errors.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobAction } from '../../shared/job.ts'
import { msg } from '../../shared/localized-text.ts'
import { askedAgain } from './asked-again.ts'
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
  /** Jobs of which no further part is to leave, by what they then become. */
  readonly stopping: Map<string, 'stopped' | 'paused'>
  readonly closed: AbortSignal
}

/** What the owner of a job can do with it. Each throws studio/invalid-state where `actionsOf` does not name it, and studio/unknown. */
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

  /** Its owner chose whose balance pays; and no other account's history knows of it. Throws service/no-account. */
  function requireOwnAccount({ pay, accountId }: JobRecord): void {
    if (pay === 'balance' && service.accountId() !== accountId)
      throw new SottoError('service/no-account', {
        detail: msg('The job is paid from the account it was started with.'),
      })
  }

  /** By this process; what is paid by itself is paid by the payer, which the job follows. */
  function isSentHere({ pay, ask }: JobRecord): boolean {
    return pay === 'balance' || handlers[ask.kind].paysParts === true
  }

  return {
    again(id, { pay, most, caller, signal }) {
      const job = requireAction(id, 'again')
      const ask = askedAgain(job)
      // What holds for all of a batch holds each of its rows, too.
      const held = ask.kind === 'batch' && most !== undefined ? { ...ask, most } : ask
      return start({ ask: held, pay: pay ?? job.pay, most, caller, signal })
    },
    send(id) {
      const job = requireAction(id, 'pay')
      requireOwnAccount(job)
      if (isSentHere(job)) progress.send(id)
      return jobs.of(id)
    },
    async settled(id) {
      const job = jobs.of(id)
      // What pays its parts goes on for long, and is watched.
      if (!isSentHere(job)) await progress.goOn(id)
      return jobs.of(id)
    },
    stop(id) {
      const { purchaseId, state } = requireAction(id, 'stop')
      if (state === 'sending') {
        // The part that is under way is waited for: it is paid.
        stopping.set(id, 'stopped')
        return jobs.of(id)
      }
      if (purchaseId !== undefined) payer.decline(purchaseId)
      return jobs.apply(id, { type: 'stopped' })
    },
    pause(id) {
      requireAction(id, 'pause')
      // Those parts that are under way are waited for: they are paid.
      stopping.set(id, 'paused')
      return jobs.of(id)
    },
    resume(id, { rows = [], most } = {}) {
      const former = requireAction(id, 'resume')
      const { pay, purchaseId, files } = former
      // What only has to be fetched or joined costs nothing more.
      if (former.parts && former.parts.done < former.parts.of) requireOwnAccount(former)
      const { state } = jobs.apply(id, ...(most === undefined ? [] : [{ type: 'capped' as const, most }]), {
        type: 'resumed',
      })
      stopping.delete(id)
      if (state === 'ready' && isSentHere(former)) progress.send(id, rows)
      else if (pay === 'single' && purchaseId !== undefined && !files.some(({ index }) => index === ANSWER)) {
        // What becomes of it is followed; a failure of the call itself is told by the purchase.
        void payer.retry(purchaseId, closed).catch((thrown: unknown) => runs.fail(id, thrown))
      } else void progress.goOn(id)
      return jobs.of(id)
    },
    async poll(id) {
      const job = requireAction(id, 'poll')
      // What is paid by itself the payer asks about; what follows the others sees what came of this, and goes on.
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
