import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type {
  HistoryFilter,
  HistoryRecord,
  MissingReceipt,
  SpendingSummary,
} from '../../../shared/history.ts'
import type { ServiceKey } from '../../../shared/service-key.ts'
import { keysQuestion } from '../../data/listings.ts'
import { currentScope, useScope, type Scope } from '../../data/service-scope.tsx'
import {
  readScopedState,
  refreshAnswers,
  setScopedState,
  useAnswer,
  useFailure,
  useScopedState,
  type ScopedState,
} from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { clearReceipts, readReceipts } from '../../ui/receipt-store.ts'
import { useStatus } from '../../ui/status-store.ts'
import { daysOf } from '../../ui/day-range.ts'

const PAGE = 50
const MAX_WORDS = 500

/** null: the days of this month. */
const chosenFilter: ScopedState<HistoryFilter | null> = { key: ['history-filter'], initial: null }

/** Values that records had, as suggestions for the filters. */
const seenWords: ScopedState<{
  readonly models: readonly string[]
  readonly sources: readonly string[]
  readonly types: readonly string[]
}> = { key: ['history-words'], initial: { models: [], sources: [], types: [] } }

export function useHistoryFilter(): HistoryFilter {
  const chosen = useScopedState(chosenFilter)
  const [month] = useState(() => daysOf('month', Date.now()))
  return chosen ?? month
}

export function useSeenWords() {
  return useScopedState(seenWords)
}

/** Shows the records and the sums of a filter, and asks for them again if they are shown already. */
export function showHistory(filter: HistoryFilter): void {
  const scope = currentScope()
  setScopedState(scope, chosenFilter, () => filter)
  for (const name of ['history-records', 'history-summary']) void refreshAnswers(scope, [name, filter])
}

interface HistoryList {
  /** The newest first; undefined before the first page. */
  readonly records: readonly HistoryRecord[] | undefined
  /** Receipts within the time of the records that the service doesn't have; the newest first. */
  readonly missing: readonly MissingReceipt[]
  /** Receipts that couldn't be compared; null if none of a page were compared. */
  readonly uncompared: number | null
  /** The service's count; null if it reports none. */
  readonly total: number | null
  readonly unreadable: number
  /** Whether there are older records. */
  readonly more: boolean
  readonly busy: boolean
  readonly failure: Failure | undefined
  /** Loads older records. */
  readonly older: () => void
}

type HistoryPage = Awaited<ReturnType<typeof api.history.page>>

export function useHistoryList(): HistoryList {
  const scope = useScope()
  const filter = useHistoryFilter()
  const query = useInfiniteQuery({
    queryKey: [scope.service, 'history-records', filter],
    queryFn: ({ pageParam, signal }) => readPage(scope, filter, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // A filter that is shown again begins with its newest records again.
    gcTime: 0,
    staleTime: Infinity,
  })
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query
  const failure = useFailure(error, isFetching)
  const list = useMemo(() => (data ? joined(data.pages) : nothing), [data])
  const older = () => {
    if (!isFetching && hasNextPage) void fetchNextPage()
  }
  return { ...list, more: hasNextPage, busy: isFetching, failure, older }
}

const nothing = { records: undefined, missing: [], uncompared: 0, total: null, unreadable: 0 } as const

function joined(pages: readonly HistoryPage[]) {
  return {
    records: pages.flatMap(({ records }) => records),
    missing: pages.flatMap(({ missing }) => missing),
    uncompared: pages.reduce<number | null>(
      (sum, { uncompared }) => (sum === null || uncompared === null ? null : sum + uncompared),
      0,
    ),
    total: pages.at(-1)?.total ?? null,
    unreadable: pages.reduce((sum, { unreadable }) => sum + unreadable, 0),
  }
}

/**
 * Reads pages until one has records, because a page can be empty although there are older ones.
 * @param from the cursor; empty for the newest
 */
async function readPage(
  scope: Scope,
  filter: HistoryFilter,
  from: string,
  signal: AbortSignal,
): Promise<HistoryPage> {
  const pages: HistoryPage[] = []
  let next: string | null = from
  do {
    const input = { filter, limit: PAGE, ...(next !== '' && { cursor: next }) }
    const page: HistoryPage = await api.history.page(input, { signal })
    pages.push(page)
    next = page.next
  } while (next !== null && pages.at(-1)?.records.length === 0)
  const page = { ...joined(pages), next }
  if (!signal.aborted) refreshConfirmed(page.records)
  addWords(scope, {
    models: page.records.map(({ model }) => model),
    sources: page.records.flatMap(({ source }) => source ?? []),
    types: page.records.flatMap(({ type }) => type ?? []),
  })
  return page
}

/** Drops cached receipts that are still doubted, because reading the history confirmed their cost. */
function refreshConfirmed(records: readonly HistoryRecord[]): void {
  const { receipts } = readReceipts()
  const outdated = records.flatMap(({ receipt }) =>
    receipt?.confirmed && receipts[receipt.id]?.costDoubted ? [receipt.id] : [],
  )
  if (outdated.length > 0) clearReceipts(outdated)
}

interface Spending {
  readonly summary: SpendingSummary | undefined
  /** Whether the summary is of the filter before. */
  readonly outdated: boolean
  /** Whether the sums still grow. */
  readonly summing: boolean
  readonly failure: Failure | undefined
  readonly again: () => void
}

/** The sums of the whole range. They are shown while they grow. */
export function useSpending(): Spending {
  const scope = useScope()
  const filter = useHistoryFilter()
  const queryKey = [scope.service, 'history-summary', filter]
  const query = useQuery<SpendingSummary | null>({
    queryKey,
    queryFn: async ({ signal }) => {
      let last: SpendingSummary | null = null
      for await (const summary of await api.history.summary({ filter }, { signal })) {
        if (signal.aborted) break
        last = summary
        scope.client.setQueryData(queryKey, summary)
        addWords(scope, {
          models: summary.groups.model.map(({ label }) => label),
          sources: summary.groups.source.map(({ label }) => label),
        })
      }
      return last
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  return {
    summary: data ?? undefined,
    outdated: isPlaceholderData,
    summing: isFetching,
    failure: useFailure(error, isFetching),
    again: () => void refetch(),
  }
}

/** The names of the keys, for the filter. The service lists them only for a credit ID. */
export function useHistoryKeys(): readonly ServiceKey[] | undefined {
  const hasCreditId = useStatus(({ status }) => status?.account.creditIdMasked !== undefined)
  const { data, failure } = useAnswer(hasCreditId ? keysQuestion(true) : undefined)
  return failure ? undefined : data?.keys
}

function addWords(
  scope: Scope,
  more: Partial<Record<'models' | 'sources' | 'types', readonly string[]>>,
): void {
  const known = readScopedState(scope, seenWords)
  setScopedState(scope, seenWords, () => ({
    models: merged(known.models, more.models),
    sources: merged(known.sources, more.sources),
    types: merged(known.types, more.types),
  }))
}

function merged(known: readonly string[], more: readonly string[] = []): readonly string[] {
  const union = new Set([...known, ...more.filter((word) => word !== '')])
  return union.size === known.length ? known : [...union].slice(0, MAX_WORDS).toSorted()
}
