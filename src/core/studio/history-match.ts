import type { JobRecord } from '../../shared/job-record.ts'
import type { JobMatch } from '../../shared/job.ts'
import { modelOf } from './names.ts'
import type { StudioService } from './service.ts'

/** How far the service's clock and this machine's may be apart. */
const CLOCKS_APART_MS = 60_000
/** A request that took longer is not compared. */
const LONGEST_MS = 15 * 60_000
const MOST_PAGES = 10

/** Records of the service's history that may be of this job: the same model, within its time. */
export async function historyMatches({ ask, sentAt = 0 }: JobRecord, service: Pick<StudioService, 'history'>, signal: AbortSignal): Promise<{ readonly matches: JobMatch[]; readonly whole: boolean }> {
  const [from, until] = [sentAt - CLOCKS_APART_MS, sentAt + LONGEST_MS + CLOCKS_APART_MS]
  const days = { from: dayOf(from), until: dayOf(until) }
  const matches: JobMatch[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { records, pages } = await service.history(days, page, signal)
    for (const { at, model, type, cost } of records) {
      if (at < from || at > until || !isModel(modelOf(ask), model)) continue
      matches.push({ at, model, ...(type !== undefined && { type }), ...(cost !== undefined && { cost: cost.toString() }) })
    }
    if (page >= pages) return { matches, whole: true }
  }
  return { matches, whole: false }
}

function isModel(asked: string, recorded: string): boolean {
  // Data is recorded by the end of its path.
  return asked === recorded || asked === '' || asked.endsWith(`/${recorded}`)
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
