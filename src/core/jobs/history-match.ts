import type { JobRecord } from '../../shared/job-record.ts'
import type { JobMatch } from '../../shared/job.ts'
import { dayOf } from '../payments/history/join-receipts.ts'
import { CLOCKS_APART_MS, LONGEST_MS } from '../payments/history/receipt-match.ts'
import type { Store } from '../storage/index.ts'
import { partsOf } from './batch/batch-book.ts'
import { modelOf } from './names.ts'
import type { StudioService } from './service.ts'

const MOST_PAGES = 10

export interface HistoryMatchOptions {
  readonly service: Pick<StudioService, 'history'>
  readonly parts: Pick<Store['jobParts'], 'list'>
  readonly signal: AbortSignal
}

/** Records in the service's history that may belong to this job: the same model, within the job's time. */
export async function historyMatches(
  job: JobRecord,
  { service, parts, signal }: HistoryMatchOptions,
): Promise<{ readonly matches: JobMatch[]; readonly whole: boolean }> {
  const { ask } = job
  const { first, last } = await sentWithin(job, parts)
  const [from, until] = [first - CLOCKS_APART_MS, last + LONGEST_MS + CLOCKS_APART_MS]
  const days = { from: dayOf(from), until: dayOf(until) }
  const matches: JobMatch[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { records, pages } = await service.history(days, page, signal)
    for (const { at, model, type, cost } of records) {
      if (at < from || at > until || !isModel(modelOf(ask), model)) continue
      matches.push({
        at,
        model,
        ...(type !== undefined && { type }),
        ...(cost !== undefined && { cost: cost.toString() }),
      })
    }
    if (page >= pages) return { matches, whole: true }
  }
  return { matches, whole: false }
}

/**
 * The earliest and the latest time (Unix ms) at which a part of unknown outcome was sent. A job with parts
 * can run for hours. Each row of a batch records when it was sent; for all other jobs the last change is
 * after the sending.
 */
async function sentWithin(
  { id, ask, sentAt = 0, changedAt, parts: inParts }: JobRecord,
  parts: HistoryMatchOptions['parts'],
): Promise<{ readonly first: number; readonly last: number }> {
  if (ask.kind !== 'batch') return { first: sentAt, last: inParts ? Math.max(sentAt, changedAt) : sentAt }
  const left: number[] = []
  for await (const { sentAt: at = sentAt } of partsOf(id, parts, ['unknown'])) left.push(at)
  return left.reduce(({ first, last }, at) => ({ first: Math.min(first, at), last: Math.max(last, at) }), {
    first: left[0] ?? sentAt,
    last: left[0] ?? sentAt,
  })
}

function isModel(asked: string, recorded: string): boolean {
  // The history records data endpoints by the end of their path.
  return asked === recorded || asked === '' || asked.endsWith(`/${recorded}`)
}
