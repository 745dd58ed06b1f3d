import type { ErrorCode } from '../../shared/error-codes.ts'
import type { JobRecord } from '../../shared/job-record.ts'
import type { JobAction, JobFile, JobState, RowCounts } from '../../shared/job.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'

/** What is learnt of a job. `at` in Unix ms. */
export type JobEvent =
  /** The service named its price. */
  | { readonly type: 'quoted'; readonly purchaseId: string; readonly receiptId?: string }
  /** The wallet was asked. */
  | { readonly type: 'paying' }
  /** Written before it leaves: from the balance once, unless its owner says so again. */
  | { readonly type: 'sent'; readonly at: number }
  /** The service answered, and charges so much: written before the answer is kept, so that this is known whatever becomes of it. */
  | { readonly type: 'charged'; readonly receiptId: string; readonly cost?: string }
  /** The service took it, and is at work on it. */
  | { readonly type: 'accepted'; readonly remoteId: string }
  /** The answer is kept. */
  | { readonly type: 'answered'; readonly cost?: string }
  /** It is sent in so many parts. */
  | { readonly type: 'parted'; readonly of: number }
  | { readonly type: 'kept'; readonly file: JobFile }
  | { readonly type: 'dropped'; readonly index: number }
  | { readonly type: 'cost'; readonly cost?: string; readonly paidMsat?: string }
  /** How far its rows are, with what all of them have cost. */
  | { readonly type: 'tallied'; readonly rows: RowCounts; readonly cost?: string; readonly paidMsat?: string }
  /** So many vectors of so many numbers are there. */
  | { readonly type: 'embedded'; readonly count: number; readonly dimensions: number }
  /** What all rows may cost from now on. Pico-USD. */
  | { readonly type: 'capped'; readonly most: string }
  /** No further part leaves; by its owner, where no code says why. */
  | { readonly type: 'paused'; readonly code?: ErrorCode; readonly detail?: LocalizedText }
  | { readonly type: 'done' }
  | {
      readonly type: 'failed'
      readonly code: ErrorCode
      readonly detail?: LocalizedText
      readonly receiptId?: string
    }
  | { readonly type: 'stopped' }
  /** The connection or the process ended after it was noted as sent. */
  | { readonly type: 'interrupted'; readonly receiptId?: string }
  /** What was made can no longer be fetched. */
  | { readonly type: 'lost' }
  /** Its owner wants it to go on where it ended. */
  | { readonly type: 'resumed' }
  | { readonly type: 'renamed'; readonly title: string }
  | { readonly type: 'noted'; readonly text: string }

/** Nothing more comes of it by itself. */
export function hasEnded(state: JobState): boolean {
  return (
    state === 'done' ||
    state === 'failed' ||
    state === 'stopped' ||
    state === 'paused' ||
    state === 'unknown' ||
    state === 'lost'
  )
}

const UNDER_WAY: ReadonlySet<JobState> = new Set(['sending', 'working', 'saving'])

/**
 * The record after an event, or the same one where the event says nothing new. What holds for every sequence of events: from
 * the balance it is sent once, and again only after its owner had it resumed; `unknown` is left by its owner alone, `done` by
 * nothing; what was kept and what it cost is not forgotten.
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

/** What is kept as its answer may be the one to its submission: whose it is at the service was not written before a process ended, or the disk refused. */
export function mayBeSubmission({ ask, pay, state, remoteId }: JobRecord): boolean {
  return ask.kind === 'video' && pay === 'balance' && state === 'saving' && remoteId === undefined
}

/** It goes on for long, in parts. */
function isPausable({ parts, ask }: JobRecord): boolean {
  return parts !== undefined && (ask.kind === 'embedding' || ask.kind === 'batch')
}

function same<T extends object>(known: T | undefined, said: T): boolean {
  return (
    known !== undefined &&
    Object.entries(known).every(
      ([name, value]) => value === Object.entries(said).find(([other]) => other === name)?.[1],
    )
  )
}

/** Where it goes on: with what is there already, and else from its beginning. */
function resumed(job: JobRecord): JobRecord {
  if (!mayResume(job)) return job
  if (job.state === 'lost')
    return withoutFailure({ ...job, state: job.remoteId === undefined ? 'saving' : 'working' })
  return withoutFailure({ ...job, state: hasAnswer(job) ? 'saving' : 'ready' })
}

/** What was paid by itself is delivered again, and what an answer names is fetched again; nothing is sent anew that costs. */
function mayResume(job: JobRecord): boolean {
  if (job.state === 'lost') return true
  // Those parts that are not done: its owner says so, and pays for no part that is.
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

/** What its owner can do with it now. */
export function actionsOf(job: JobRecord): JobAction[] {
  const { state, pay } = job
  const resumable = mayResume(job)
  const asked: Record<JobAction, boolean> = {
    pay: state === 'ready',
    stop: state === 'ready' || (state === 'sending' && job.parts !== undefined),
    pause: state === 'sending' && isPausable(job),
    // Paid and not delivered: it is delivered, and not bought twice.
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

/** Parts that are done are there as files until they are joined. */
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
