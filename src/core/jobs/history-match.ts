import type { JobRecord } from '../../shared/job-record.ts'
import type { JobMatch } from '../../shared/job.ts'
import type { Store } from '../storage/index.ts'
import { partsOf } from './batch/batch-book.ts'
import { modelOf } from './names.ts'
import type { StudioService } from './service.ts'

/** How far the service's clock and this machine's may be apart. */
const CLOCKS_APART_MS = 60_000
/** A request that took longer is not compared. */
const LONGEST_MS = 15 * 60_000
const MOST_PAGES = 10

export interface HistoryMatchOptions {
  readonly service: Pick<StudioService, 'history'>
  readonly parts: Pick<Store['jobParts'], 'list'>
  readonly signal: AbortSignal
}

/** Records of the service's history that may be of this job: the same model, within its time. */
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
 * When what is in doubt had left, at the earliest and the latest (Unix ms). What goes in parts goes on for hours after it was begun: of a
 * batch each row says when it left, and of all else the last that was heard of the job comes after it.
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
  // Data is recorded by the end of its path.
  return asked === recorded || asked === '' || asked.endsWith(`/${recorded}`)
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
