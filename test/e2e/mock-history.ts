import type { HistoryEvent } from '../../src/shared/contract/history.ts'
import {
  groupings,
  type Grouping,
  type HistoryFilter,
  type HistoryRecord,
  type MissingReceipt,
  type SpendingGroup,
  type SpendingSummary,
} from '../../src/shared/history.ts'
import { usd } from './mock-data.ts'

/** The mock service's request history. A test changes it. */
export interface MockHistory {
  /** Newest first. */
  records: HistoryRecord[]
  /** Receipts that the service doesn't have, newest first. */
  missing: MissingReceipt[]
  uncompared: number | null
  unreadable: number
  /** Whether the service reports the total number of records. */
  counts: boolean
  /** Delays calls. */
  before: () => Promise<void>
  /** Delays each update of the totals and each piece of an export. */
  step: () => Promise<void>
}

const DAY = 86_400_000

export function mockHistory(): MockHistory {
  return {
    records: [],
    missing: [],
    uncompared: 0,
    unreadable: 0,
    counts: true,
    before: () => Promise.resolve(),
    step: () => Promise.resolve(),
  }
}

export function query(at: number, part: Partial<HistoryRecord> = {}): HistoryRecord {
  return {
    at,
    model: 'sandbox/echo',
    inputTokens: 1840,
    outputTokens: 612,
    cost: usd(0.0042),
    type: 'chat_completion',
    source: 'api',
    keyId: 'k1',
    keyName: 'Default',
    online: false,
    freeModel: false,
    ...part,
  }
}

/** Queries of every kind over five weeks. */
export function someQueries(now: number, count: number): HistoryRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const at = now - index * ((35 * DAY) / count) - 60_000
    if (index % 7 === 1)
      return query(at, {
        model: 'lento-72b',
        cost: usd(0.0193),
        inputTokens: 12_480,
        outputTokens: 2_210,
        receipt: { id: `sealed-${String(index)}`, privacy: 'sealed' },
      })
    if (index % 7 === 2)
      return query(at, {
        model: 'sandbox/essayist-with-a-rather-long-identifier-2026-10-31',
        cost: usd(0.031 + (index % 40) / 100),
        keyId: 'k2',
        keyName: 'Build server',
        receipt: { id: `open-${String(index)}`, privacy: 'forwarded' },
      })
    if (index % 7 === 4)
      return query(at, {
        model: 'sandbox/pictures-xl',
        type: 'image_generation',
        source: 'ui',
        inputTokens: 0,
        outputTokens: 0,
        cost: usd(0.0805),
      })
    if (index % 11 === 5) {
      const { cost: _, ...unpriced } = query(at, {
        errorCode: 'upstream_error',
        keyId: 'k5',
        keyName: 'Old laptop',
        source: 'memory',
      })
      return unpriced
    }
    if (index % 13 === 6) return query(at, { online: true, freeModel: true, cost: '0' })
    return query(at)
  })
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

function passes({ from, until, model, source, type, keyId }: HistoryFilter, record: HistoryRecord): boolean {
  const day = dayOf(record.at)
  return (
    (from === undefined || day >= from) &&
    (until === undefined || day <= until) &&
    (model === undefined || record.model === model) &&
    (source === undefined || record.source === source) &&
    (type === undefined || record.type === type) &&
    (keyId === undefined || record.keyId === keyId)
  )
}

function sumOf(label: string, records: readonly HistoryRecord[]): SpendingGroup {
  return {
    label,
    cost: records.reduce((sum, { cost = '0' }) => sum + BigInt(cost), 0n).toString(),
    unpriced: records.filter(({ cost }) => cost === undefined).length,
    requests: records.length,
    inputTokens: records.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0),
    outputTokens: records.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0),
  }
}

const labels: Readonly<Record<Grouping, (record: HistoryRecord) => string>> = {
  day: ({ at }) => dayOf(at),
  model: ({ model }) => model,
  source: ({ source = '' }) => source,
  key: ({ keyName = '' }) => keyName,
}

function summaryOf(read: readonly HistoryRecord[], of: number, unreadable: number): SpendingSummary {
  const groupsOf = (grouping: Grouping): SpendingGroup[] => {
    const groups = [...Map.groupBy(read, labels[grouping])].map(([label, records]) => sumOf(label, records))
    return grouping === 'day'
      ? groups.toSorted((a, b) => (a.label < b.label ? -1 : 1))
      : groups.toSorted((a, b) => Number(BigInt(b.cost) - BigInt(a.cost)))
  }
  const [day, model, source, key] = groupings.map(groupsOf)
  return {
    groups: { day: day!, model: model!, source: source!, key: key! },
    dayModels: [...Map.groupBy(read, (record) => `${labels.day(record)} ${record.model}`)]
      .map(([label, records]) => ({
        day: label.slice(0, 10),
        model: label.slice(11),
        cost: sumOf('', records).cost,
      }))
      .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    total: sumOf('', read),
    read: read.length,
    of,
    unreadable,
  }
}

/** The history procedures of the mock core. */
export function createMockHistory({
  state: { queryHistory },
}: {
  readonly state: { queryHistory: MockHistory }
}) {
  const wanted = (filter: HistoryFilter): HistoryRecord[] =>
    queryHistory.records.filter((record) => passes(filter, record))
  const pieces = (records: readonly HistoryRecord[], of: number): HistoryRecord[][] =>
    Array.from({ length: of }, (_, index) => records.slice(0, Math.ceil((records.length * (index + 1)) / of)))
  return {
    async page({
      filter,
      cursor,
      limit,
    }: {
      filter: HistoryFilter
      cursor?: string | undefined
      limit: number
    }) {
      await queryHistory.before()
      const [all, from] = [wanted(filter), Number(cursor ?? 0)]
      const records = all.slice(from, from + limit)
      const end = from + limit < all.length ? (records.at(-1)?.at ?? Infinity) : -Infinity
      const begin = from === 0 ? Infinity : (all[from - 1]?.at ?? Infinity)
      return {
        missing: queryHistory.missing.filter(({ at }) => at >= end && at < begin),
        uncompared: queryHistory.uncompared,
        records,
        next: from + limit < all.length ? String(from + limit) : null,
        total: queryHistory.counts ? all.length : null,
        unreadable: from === 0 ? queryHistory.unreadable : 0,
      }
    },
    async *summary({ filter }: { filter: HistoryFilter }): AsyncGenerator<SpendingSummary, void> {
      await queryHistory.before()
      const all = wanted(filter)
      for (const read of pieces(all, 2)) {
        yield summaryOf(read, all.length, queryHistory.unreadable)
        await queryHistory.step()
      }
    },
    async *export({
      filter,
      format,
    }: {
      filter: HistoryFilter
      format: 'csv' | 'json'
    }): AsyncGenerator<HistoryEvent, void> {
      await queryHistory.before()
      const all = wanted(filter)
      for (const read of pieces(all, 2)) {
        yield { type: 'text', text: `${format} of ${String(read.length)}\n` }
        yield { type: 'progress', read: read.length, of: all.length }
        await queryHistory.step()
      }
      yield { type: 'ended', records: all.length, unreadable: 0 }
    },
  }
}
