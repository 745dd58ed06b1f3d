import type { ErrorCode } from '../../shared/error-codes.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import { hasEnded, type JobState } from '../../shared/job-state.ts'
import type { JobAction, JobFile, RowCounts } from '../../shared/job.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** An event of a job. `at` in Unix ms. */
export type JobEvent =
  /** The service quoted a price. */
  | { readonly type: 'quoted'; readonly purchaseId: string; readonly receiptId?: string }
  /** The wallet was asked to pay. */
  | { readonly type: 'paying' }
  /**
   * Written before the job is sent. A job that the balance pays is sent once, unless its owner resumes it.
   */
  | { readonly type: 'sent'; readonly at: number }
  /**
   * The service answered and charged this cost. Written before the response is stored, so that the cost is
   * known even if storing fails.
   */
  | { readonly type: 'charged'; readonly receiptId: string; readonly cost?: string }
  /** The service accepted the job and is working on it. */
  | { readonly type: 'accepted'; readonly remoteId: string }
  /** The response is stored. */
  | { readonly type: 'answered'; readonly cost?: string }
  /** The job is sent in this many parts. */
  | { readonly type: 'parted'; readonly of: number }
  | { readonly type: 'kept'; readonly file: JobFile }
  | { readonly type: 'dropped'; readonly index: number }
  | { readonly type: 'cost'; readonly cost?: string; readonly paidMsat?: string }
  /** The progress of the rows, with their total cost. */
  | { readonly type: 'tallied'; readonly rows: RowCounts; readonly cost?: string; readonly paidMsat?: string }
  /** The number of vectors, and the numbers in each. */
  | { readonly type: 'embedded'; readonly count: number; readonly dimensions: number }
  /** The new cap for all rows, in pico-USD. */
  | { readonly type: 'capped'; readonly most: string }
  /** No further part is sent. Without a code, the owner paused it. */
  | { readonly type: 'paused'; readonly code?: ErrorCode; readonly detail?: LocalizedText }
  | { readonly type: 'done' }
  | {
      readonly type: 'failed'
      readonly code: ErrorCode
      readonly detail?: LocalizedText
      readonly receiptId?: string
    }
  | { readonly type: 'stopped' }
  /** The connection or the process ended after the job was recorded as sent. */
  | { readonly type: 'interrupted'; readonly receiptId?: string }
  /** The results can no longer be fetched. */
  | { readonly type: 'lost' }
  /** The owner resumes the job. */
  | { readonly type: 'resumed' }
  | { readonly type: 'renamed'; readonly title: string }
  | { readonly type: 'noted'; readonly text: string }

const UNDER_WAY: ReadonlySet<JobState> = new Set(['sending', 'working', 'saving'])

/**
 * Returns the record after an event, or the same record if the event changes nothing.
 *
 * Invariants for every sequence of events: a job that the balance pays is sent once, and again only after
 * its owner resumed it. Only the owner leaves `unknown`. Nothing leaves `done`. Stored files and the cost
 * are never lost.
 */
export function nextJob(job: JobRecord, event: JobEvent): JobRecord {
  const { state } = job
  switch (event.type) {
    case 'quoted':
      return state === 'ready' && job.pay === 'single' && job.purchaseId === undefined
        ? { ...job, purchaseId: event.purchaseId, ...receipt(event) }
        : job
    case 'paying':
      return state === 'ready' && job.pay === 'single' ? { ...job, state: 'paying' } : job
    case 'sent':
      return state === 'ready' || state === 'paying'
        ? withoutFailure({ ...job, state: 'sending', sentAt: event.at })
        : job
    case 'charged':
      return state === 'sending'
        ? withCost(job.receiptId === event.receiptId ? job : { ...job, receiptId: event.receiptId }, event)
        : job
    case 'accepted':
      return state === 'sending' || mayBeSubmission(job)
        ? { ...job, state: 'working', remoteId: event.remoteId }
        : job
    case 'answered':
      return state === 'sending' || state === 'working' ? withCost({ ...job, state: 'saving' }, event) : job
    case 'parted':
      return state === 'sending' && !job.parts ? { ...job, parts: { of: event.of, done: 0 } } : job
    case 'kept':
      return UNDER_WAY.has(state)
        ? counted({
            ...job,
            files: [...job.files.filter(({ index }) => index !== event.file.index), event.file],
          })
        : job
    case 'dropped':
      return state === 'saving' && job.files.some(({ index }) => index === event.index)
        ? { ...job, files: job.files.filter(({ index }) => index !== event.index) }
        : job
    case 'cost':
      return withCost(job, event)
    case 'tallied':
      return job.parts && !same(job.rows, event.rows)
        ? withCost({ ...job, rows: event.rows, parts: { ...job.parts, done: event.rows.done } }, event)
        : withCost(job, event)
    case 'embedded':
      return job.parts && state === 'sending' && !same(job.vectors, event)
        ? {
            ...job,
            vectors: { count: event.count, dimensions: event.dimensions },
            parts: { ...job.parts, done: event.count },
          }
        : job
    case 'capped':
      return job.ask.kind === 'batch' && job.ask.most !== event.most
        ? { ...job, ask: { ...job.ask, most: event.most } }
        : job
    case 'paused':
      if (state !== 'sending' || !isPausable(job)) return job
      return event.code === undefined
        ? withoutFailure({ ...job, state: 'paused' })
        : failed(job, 'paused', event.code, event.detail)
    case 'done':
      return state === 'saving' ? withoutFailure({ ...job, state: 'done' }) : job
    case 'failed':
      return hasEnded(state) ? job : failed({ ...job, ...receipt(event) }, 'failed', event.code, event.detail)
    case 'stopped':
      return state === 'ready' || (state === 'sending' && job.parts)
        ? withoutFailure({ ...job, state: 'stopped' })
        : job
    case 'interrupted':
      return state === 'sending' && job.pay === 'balance'
        ? failed({ ...job, ...receipt(event) }, 'unknown', 'studio/outcome-unknown')
        : job
    case 'lost':
      return state === 'saving' ? failed(job, 'lost', 'service/media-expired') : job
    case 'resumed':
      return resumed(job)
    case 'renamed':
      return retitled(job, event.title)
    case 'noted':
      return noted(job, event.text)
  }
}

/**
 * The stored response may be the one to the submission: a process ended, or the disk failed, before the id
 * at the service was written.
 */
export function mayBeSubmission({ ask, pay, state, remoteId }: JobRecord): boolean {
  return ask.kind === 'video' && pay === 'balance' && state === 'saving' && remoteId === undefined
}

/** The job runs for long and in parts. */
function isPausable({ parts, ask }: JobRecord): boolean {
  return parts !== undefined && (ask.kind === 'embedding' || ask.kind === 'batch')
}

function same<T extends object>(known: T | undefined, reported: T): boolean {
  return (
    known !== undefined &&
    Object.entries(known).every(
      ([name, value]) => value === Object.entries(reported).find(([other]) => other === name)?.[1],
    )
  )
}

/** The state from which the job continues: with its stored results, or from the beginning. */
function resumed(job: JobRecord): JobRecord {
  if (!mayResume(job)) return job
  if (job.state === 'lost')
    return withoutFailure({ ...job, state: job.remoteId === undefined ? 'saving' : 'working' })
  return withoutFailure({ ...job, state: hasAnswer(job) ? 'saving' : 'ready' })
}

/**
 * Resuming delivers a purchase again, or fetches files again that a response names. It sends nothing that
 * costs money again.
 */
function mayResume(job: JobRecord): boolean {
  if (job.state === 'lost') return true
  // Sends only the parts that aren't done. The owner agreed to it, and pays for no part twice.
  if (job.parts) return hasEnded(job.state) && job.state !== 'done'
  return (
    job.state === 'failed' &&
    (job.failure?.code === 'payment/undelivered' ||
      job.failure?.code === 'payment/credential-refused' ||
      hasAnswer(job))
  )
}

function hasAnswer({ files }: JobRecord): boolean {
  return files.some(({ role }) => role === 'answer')
}

/** The actions that the owner can take now. */
export function actionsOf(job: JobRecord): JobAction[] {
  const { state, pay } = job
  const resumable = mayResume(job)
  const asked: Record<JobAction, boolean> = {
    pay: state === 'ready',
    stop: state === 'ready' || (state === 'sending' && job.parts !== undefined),
    pause: state === 'sending' && isPausable(job),
    // A job that is paid and not delivered is delivered, and not purchased twice.
    again: hasEnded(state) && !(resumable && pay === 'single' && job.purchaseId !== undefined),
    resume: resumable,
    poll: state === 'working',
    compare:
      state === 'unknown' ||
      (job.ask.kind === 'batch' && job.pay === 'balance' && hasEnded(state) && (job.rows?.unknown ?? 0) > 0),
  }
  return (['pay', 'stop', 'pause', 'again', 'resume', 'poll', 'compare'] as const).filter(
    (action) => asked[action],
  )
}

/** Until parts are joined, each part that is done is a file. */
function counted(job: JobRecord): JobRecord {
  return job.parts
    ? {
        ...job,
        parts: {
          ...job.parts,
          done: Math.max(job.parts.done, job.files.filter(({ role }) => role === 'part').length),
        },
      }
    : job
}

function receipt({ receiptId }: { readonly receiptId?: string }): Pick<JobRecord, 'receiptId'> {
  return receiptId === undefined ? {} : { receiptId }
}

function withCost(
  job: JobRecord,
  { cost, paidMsat }: { readonly cost?: string; readonly paidMsat?: string },
): JobRecord {
  if ((cost === undefined || cost === job.cost) && (paidMsat === undefined || paidMsat === job.paidMsat))
    return job
  return { ...job, ...(cost !== undefined && { cost }), ...(paidMsat !== undefined && { paidMsat }) }
}

function failed(job: JobRecord, state: JobState, code: ErrorCode, detail?: LocalizedText): JobRecord {
  return { ...job, state, failure: { code, ...(detail !== undefined && { detail }) } }
}

function withoutFailure(job: JobRecord): JobRecord {
  const { failure: _, ...rest } = job
  return rest
}

function retitled(job: JobRecord, title: string): JobRecord {
  if (title === (job.title ?? '')) return job
  const { title: _, ...rest } = job
  return title === '' ? rest : { ...rest, title }
}

function noted(job: JobRecord, note: string): JobRecord {
  if (note === (job.note ?? '')) return job
  const { note: _, ...rest } = job
  return note === '' ? rest : { ...rest, note }
}
