import { SottoError } from '../../../shared/errors.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { HistoryPage, QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { HistorySource } from './history-source.ts'
import { START, type Place } from './place.ts'

/** Pages without one new record after which the service is no longer believed that there are more. */
const MOST_IDLE_PAGES = 100
/** Of a place that holds by its moment alone. */
const UNKNOWN = 0

/** What one page of the service adds. */
export interface Batch {
  /** Not told before, in the service's order. All of one moment stand together in one batch. */
  readonly records: readonly QueryRecord[]
  /** Where to go on after the first `count` of them; these must not end within a moment. */
  after(count: number): Place
  readonly page: number
  /** All that stood on the page, told before or not. */
  readonly seen: readonly QueryRecord[]
  readonly total: number
  readonly unreadable: number
  /** The service has no more. */
  readonly last: boolean
}

/**
 * Reads on from a place to the end, the newest first. The service pages by number, so what is added meanwhile moves all that
 * follows. While its count stays the same nothing moved, and a place holds. Once it changed, the boundary is the moment of the
 * last record that was told: the reading begins anew at a page that reaches up to it, and what is older was not told. For
 * that, the records of one moment are told together or not at all: the last moment of a page is held back until a page
 * shows its end.
 *
 * What comes later with an older moment is told where that was not passed yet; what changes without changing the count is
 * not noticed.
 */
export async function* readOn(
  source: Pick<HistorySource, 'read'>,
  from: Place = START,
): AsyncGenerator<Batch, void> {
  let place = from
  let held: readonly QueryRecord[] = []
  let { page, answer, start } = await readAt(source, place)
  for (let idle = 0; ;) {
    // Without one entry it ends the list, whatever it says.
    const last = page >= answer.pages || (answer.records.length === 0 && answer.unreadable === 0)
    const fresh = [...held, ...answer.records.slice(start)]
    const whole = last ? fresh.length : endOfWholeMoments(fresh)
    const batch = batchOf({
      page,
      answer,
      start,
      place,
      heldBefore: held.length,
      records: fresh.slice(0, whole),
      last,
    })
    place = batch.after(whole)
    held = fresh.slice(whole)
    yield batch
    if (last) return
    idle = whole === 0 ? idle + 1 : 0
    if (idle > MOST_IDLE_PAGES)
      throw new SottoError('service/response-invalid', { detail: msg('The history has no end.') })
    const { total } = answer
    const allTold = held.length === 0 && start >= answer.records.length
    page += 1
    answer = await source.read(page)
    start = allTold ? firstOlder(answer, place.before) : 0
    if (answer.total === total) continue
    held = []
    ;({ page, answer, start } = await readAt(source, place))
  }
}

/** The page that holds the place, and the index of its first record that was not told. */
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

/** Nothing that was not told stands before this page. */
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
      // A page of nothing but what was told is not begun with again; where on the next one the boundary is, its moment says.
      return heldBefore === 0 && start >= answer.records.length
        ? { page: page + 1, index: 0, before: place.before, total: UNKNOWN, counted }
        : { ...place, counted }
    },
  }
}

/** How many records stand before those of the last moment. */
function endOfWholeMoments(records: readonly QueryRecord[]): number {
  const at = records.at(-1)?.at
  let end = records.length
  while (end > 0 && records[end - 1]?.at === at) end -= 1
  return end
}
