import { create } from 'zustand'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type {
  HistoryFilter,
  HistoryRecord,
  MissingReceipt,
  SpendingSummary,
} from '../../../shared/history.ts'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { letGoOfReceipts, useReceipts } from '../../ui/receipt-store.ts'
import { onServiceChange } from '../../ui/status-store.ts'
import { daysOf } from './days.ts'

/** Words that records were seen with, for whoever filters by them. */
interface Seen {
  readonly models: readonly string[]
  readonly sources: readonly string[]
  readonly types: readonly string[]
}

interface HistoryState {
  readonly filter: HistoryFilter
  /** The newest first; undefined before the first page. */
  readonly records: readonly HistoryRecord[] | undefined
  /** Receipts within the time of the records that the service doesn't have; the newest first. */
  readonly missing: readonly MissingReceipt[]
  /** Receipts that couldn't be compared; null if none of a page were compared. */
  readonly uncompared: number | null
  /** Where older ones begin; null where there are none. */
  readonly next: string | null
  /** The service's count; null where it does not say one. */
  readonly total: number | null
  readonly unreadable: number
  readonly busy: boolean
  readonly failure: Failure | undefined
  readonly summary: SpendingSummary | undefined
  /** What is shown is still of the filter before. */
  readonly outdated: boolean
  /** Its sums still grow. */
  readonly summing: boolean
  readonly summaryFailure: Failure | undefined
  /** Undefined while they are not known, or cannot be. */
  readonly keys: readonly ServiceKey[] | undefined
  readonly seen: Seen
}

const nothingSeen: Seen = { models: [], sources: [], types: [] }

function empty(filter: HistoryFilter): HistoryState {
  return {
    filter,
    records: undefined,
    missing: [],
    uncompared: 0,
    next: null,
    total: null,
    unreadable: 0,
    busy: false,
    failure: undefined,
    summary: undefined,
    outdated: false,
    summing: false,
    summaryFailure: undefined,
    keys: undefined,
    seen: nothingSeen,
  }
}

export const useHistory = create<HistoryState>()(() => empty(daysOf('month', Date.now())))

const PAGE = 50
let reading = new AbortController()

onServiceChange(() => {
  reading.abort()
  useHistory.setState(empty(daysOf('month', Date.now())))
})

/** Begins anew under a filter: the list, and the sums of the whole range. What was being read for another is let go. */
export function openHistory(filter: HistoryFilter): void {
  reading.abort()
  reading = new AbortController()
  const { keys, seen, summary } = useHistory.getState()
  // The sums stay in view until the first of the new ones are here, so that nothing moves under whoever chose.
  useHistory.setState({ ...empty(filter), keys, seen, summary, outdated: summary !== undefined })
  void readPage(reading.signal)
  void sumUp(reading.signal)
}

/** Nobody looks any more. */
export function leaveHistory(): void {
  reading.abort()
}

export async function older(): Promise<void> {
  const { busy, next } = useHistory.getState()
  if (!busy && next !== null) await readPage(reading.signal)
}

async function readPage(signal: AbortSignal): Promise<void> {
  const { filter, records: before = [] } = useHistory.getState()
  useHistory.setState({ busy: true, failure: undefined })
  try {
    // A page can be empty while older ones are not.
    for (let more = true; more;) {
      const { next: cursor } = useHistory.getState()
      const { records, next, total, unreadable, missing, uncompared } = await api.history.page(
        { filter, limit: PAGE, ...(cursor !== null && { cursor }) },
        { signal },
      )
      if (signal.aborted) return
      refreshConfirmed(records)
      useHistory.setState((state) => ({
        next,
        total,
        unreadable: state.unreadable + unreadable,
        records: [...(state.records ?? []), ...records],
        seen: withSeen(state.seen, records),
        missing: [...state.missing, ...missing],
        uncompared: state.uncompared === null || uncompared === null ? null : state.uncompared + uncompared,
      }))
      more = next !== null && useHistory.getState().records?.length === before.length
    }
  } catch (thrown) {
    if (!signal.aborted) useHistory.setState({ failure: asFailure(thrown) })
  } finally {
    if (!signal.aborted) useHistory.setState({ busy: false })
  }
}

/** Drops cached receipts that are still doubted, because reading the history confirmed their cost. */
function refreshConfirmed(records: readonly HistoryRecord[]): void {
  const { receipts } = useReceipts.getState()
  const outdated = records.flatMap(({ receipt }) =>
    receipt?.confirmed && receipts[receipt.id]?.costDoubted ? [receipt.id] : [],
  )
  if (outdated.length > 0) letGoOfReceipts(outdated)
}

/** Sums the range up, as far as `signal` lets it. */
async function sumUp(signal: AbortSignal): Promise<void> {
  const { filter } = useHistory.getState()
  useHistory.setState({ summing: true, summaryFailure: undefined })
  try {
    for await (const summary of await api.history.summary({ filter }, { signal })) {
      if (signal.aborted) return
      useHistory.setState(({ seen }) => ({
        summary,
        outdated: false,
        seen: {
          ...seen,
          models: merged(
            seen.models,
            summary.groups.model.map(({ label }) => label),
          ),
          sources: merged(
            seen.sources,
            summary.groups.source.map(({ label }) => label),
          ),
        },
      }))
    }
  } catch (thrown) {
    if (!signal.aborted)
      useHistory.setState(({ outdated, summary }) => ({
        summaryFailure: asFailure(thrown),
        outdated: false,
        summary: outdated ? undefined : summary,
      }))
  } finally {
    if (!signal.aborted) useHistory.setState({ summing: false })
  }
}

export function sumUpAgain(): void {
  void sumUp(reading.signal)
}

/** By their names the keys are chosen. Without a credit id nobody is told of them. */
export async function loadKeys(signal: AbortSignal): Promise<void> {
  try {
    const { keys } = await api.serviceKeys.list({ includeRevoked: true }, { signal })
    if (!signal.aborted) useHistory.setState({ keys })
  } catch {
    if (!signal.aborted) useHistory.setState({ keys: undefined })
  }
}

const MOST_WORDS = 500

function withSeen(seen: Seen, records: readonly HistoryRecord[]): Seen {
  return {
    models: merged(
      seen.models,
      records.map(({ model }) => model),
    ),
    sources: merged(
      seen.sources,
      records.flatMap(({ source }) => source ?? []),
    ),
    types: merged(
      seen.types,
      records.flatMap(({ type }) => type ?? []),
    ),
  }
}

function merged(known: readonly string[], more: readonly string[]): readonly string[] {
  const words = new Set([...known, ...more.filter((word) => word !== '')])
  return words.size === known.length ? known : [...words].slice(0, MOST_WORDS).toSorted()
}
