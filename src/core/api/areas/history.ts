import type { ApiContext } from '../context.ts'
import { eventsWithFailures } from '../failure.ts'
import { exportRange } from '../history/export-range.ts'
import { historyPlaceOf, listPage, type HistoryPlace } from '../history/list-page.ts'
import { summarise } from '../history/sum-up.ts'
import type { Implementer } from '../implementer.ts'

/** Answers historyContract. Throws vault/locked, request/invalid, service/…. */
export function historyArea(core: ApiContext, os: Implementer['history']) {
  const never = new AbortController().signal
  const place = (): HistoryPlace => historyPlaceOf({ ...core.open(), fetch: core.fetch, now: core.now })
  return {
    page: os.page.handler(({ input, signal = never }) => listPage(place(), input, signal)),
    summary: os.summary.handler(({ input, signal = never }) =>
      eventsWithFailures(summarise(place(), input.filter, signal)),
    ),
    export: os.export.handler(({ input, signal = never }) =>
      eventsWithFailures(exportRange(place(), input.filter, input.format, signal)),
    ),
  }
}
