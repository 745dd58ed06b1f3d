import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { HistoryPage, QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { HistorySource } from './history-source.ts'
import { START, type Place } from './place.ts'

/** After this many pages without a new record, the service's claim that there are more is rejected. */
const MOST_IDLE_PAGES = 100
/** The total of a place that only its time defines. */
const UNKNOWN = 0

/** The new records of one page of the service. */
export interface Batch {
  /** The records that weren't yielded before, in the service's order. All of one moment are in one batch. */
  readonly records: readonly QueryRecord[]
  /** Returns the place after the first `count` of them, which must end with a whole moment. */
  after(count: number): Place
  readonly page: number
  /** All records on the page, whether they were yielded before or not. */
  readonly seen: readonly QueryRecord[]
  readonly total: number
  readonly unreadable: number
  /** The service has no more records. */
  readonly last: boolean
}

/**
 * Reads from a place to the end, the newest first. The service pages by number, so a record that is added
 * during the reading moves all later ones. While the service's count is unchanged, nothing has moved, and the
 * place is valid. If it changed, the boundary is the moment of the last yielded record. Reading then restarts
 * at a page that reaches this boundary, and all older records are new. This requires that the records of one
 * moment are yielded together: those of a page's last moment wait until a page shows the moment's end.
 *
 * A record that is added later with an older moment is yielded if the reading hasn't passed that moment. A
 * change that leaves the count unchanged isn't noticed.
 */
export async function* readOn(
  source: Pick<HistorySource, 'read'>,
  from: Place = START,
): AsyncGenerator<Batch, void> {
  let place = from
  let waiting: readonly QueryRecord[] = []
  let { page, answer, start } = await readAt(source, place)
  for (let idle = 0; ;) {
    // A page without entries ends the list, whatever count it states.
    const last = page >= answer.pages || (answer.records.length === 0 && answer.unreadable === 0)
    const fresh = [...waiting, ...answer.records.slice(start)]
    const whole = last ? fresh.length : endOfWholeMoments(fresh)
    const batch = batchOf({
      page,
      answer,
      start,
      place,
      heldBefore: waiting.length,
      records: fresh.slice(0, whole),
      last,
    })
    place = batch.after(whole)
    waiting = fresh.slice(whole)
    yield batch
    if (last) return
    idle = whole === 0 ? idle + 1 : 0
    if (idle > MOST_IDLE_PAGES)
      throw new SottoError('service/response-invalid', { detail: msg('The history has no end.') })
    const { total } = answer
    const allYielded = waiting.length === 0 && start >= answer.records.length
    page += 1
    answer = await source.read(page)
    start = allYielded ? firstOlder(answer, place.before) : 0
    if (answer.total === total) continue
    waiting = []
    ;({ page, answer, start } = await readAt(source, place))
  }
}

/** Finds the page with the place, and the index of its first new record. */
async function readAt(
  source: Pick<HistorySource, 'read'>,
  place: Place,
): Promise<{ page: number; answer: HistoryPage; start: number }> {
  let { page } = place
  let answer = await source.read(page)
  const anchor = answer.records[place.index - 1]
  const unmoved =
    answer.total === place.total && (anchor === undefined ? place.index === 0 : anchor.at === place.before)
  if (place.before === Infinity || unmoved) return { page, answer, start: place.index }
  while (page > 1 && !reachesUpTo(place.before, answer)) {
    page -= 1
    answer = await source.read(page)
  }
  return { page, answer, start: firstOlder(answer, place.before) }
}

function firstOlder({ records }: HistoryPage, before: number): number {
  const index = records.findIndex(({ at }) => at < before)
  return index === -1 ? records.length : index
}

/** Whether no new record is before this page. */
function reachesUpTo(before: number, { records: [first] }: HistoryPage): boolean {
  return first !== undefined && first.at >= before
}

function batchOf({
  page,
  answer,
  start,
  place,
  heldBefore,
  records,
  last,
}: {
  page: number
  answer: HistoryPage
  start: number
  place: Place
  heldBefore: number
  records: readonly QueryRecord[]
  last: boolean
}): Batch {
  const counted = Math.max(place.counted, page)
  return {
    records,
    page,
    seen: answer.records,
    total: answer.total,
    unreadable: page > place.counted ? answer.unreadable : 0,
    last,
    after: (count) => {
      const end = records[count - 1]
      if (end)
        return { page, index: start + count - heldBefore, before: end.at, total: answer.total, counted }
      // A page without new records isn't read again. On the next page, the moment determines the boundary.
      return heldBefore === 0 && start >= answer.records.length
        ? { page: page + 1, index: 0, before: place.before, total: UNKNOWN, counted }
        : { ...place, counted }
    },
  }
}

/** Returns the number of records before those of the last moment. */
function endOfWholeMoments(records: readonly QueryRecord[]): number {
  const at = records.at(-1)?.at
  let end = records.length
  while (end > 0 && records[end - 1]?.at === at) end -= 1
  return end
}
