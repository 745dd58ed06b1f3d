import {
  groupings,
  MOST_DAY_MODELS,
  type Grouping,
  type HistoryFilter,
  type SpendingGroup,
  type SpendingSummary,
} from '../../../shared/history.ts'
import type { QueryRecord } from '../../gateway/service/account/read/history.ts'
import type { Service } from '../../gateway/service/http/perform.ts'
import type { Store } from '../../storage/index.ts'
import { createAccountHistory } from './history-source.ts'
import { dayOf } from './join-receipts.ts'
import { readOn } from './read-on.ts'

/**
 * The limits for groups of one kind. The service controls the names, so their number is limited to bound the
 * memory.
 */
const MOST_GROUPS = 1_000
const MOST_DAYS = 4_000
/**
 * The sums are yielded again when the number of records has grown by this share, and so less often as it
 * grows.
 */
const TELL_SHARE = 0.1

interface Sum {
  cost: bigint
  unpriced: number
  requests: number
  inputTokens: number
  outputTokens: number
}

const empty = (): Sum => ({ cost: 0n, unpriced: 0, requests: 0, inputTokens: 0, outputTokens: 0 })

/** Exact sums of records: by day, model, source and key. */
export class Sums {
  readonly #total = empty()
  readonly #groups: Readonly<Record<Grouping, Map<string, Sum>>> = {
    day: new Map(),
    model: new Map(),
    source: new Map(),
    key: new Map(),
  }
  readonly #rest: Readonly<Record<Grouping, Sum>> = {
    day: empty(),
    model: empty(),
    source: empty(),
    key: empty(),
  }

  /** Keyed by the day, which has a fixed length, and the model. */
  readonly #dayModels = new Map<string, { readonly day: string; readonly model: string; cost: bigint }>()

  add(record: QueryRecord): void {
    count(this.#total, record)
    this.#addDayModel(record)
    const labels: Readonly<Record<Grouping, string>> = {
      day: dayOf(record.at),
      model: record.model,
      source: record.source ?? '',
      key: record.apiKeyId ?? '',
    }
    for (const grouping of groupings) count(this.#groupOf(grouping, labels[grouping]), record)
  }

  /** Returns days in their order, and the other groups by cost, the highest first. */
  read(keyNames: ReadonlyMap<string, string>): Pick<SpendingSummary, 'groups' | 'dayModels' | 'total'> {
    const groupsOf = (grouping: Grouping, nameOf = (label: string): string => label): SpendingGroup[] => {
      const groups = [...this.#groups[grouping]].map(([label, sum]) => toGroup(nameOf(label), sum))
      const sorted =
        grouping === 'day' ? groups.sort((a, b) => (a.label < b.label ? -1 : 1)) : groups.sort(costliestFirst)
      const rest = this.#rest[grouping]
      return rest.requests === 0 ? sorted : [...sorted, { ...toGroup('', rest), rest: true }]
    }
    return {
      groups: {
        day: groupsOf('day'),
        model: groupsOf('model'),
        source: groupsOf('source'),
        key: groupsOf('key', (id) => keyNames.get(id) ?? id),
      },
      dayModels: [...this.#dayModels.values()]
        .map(({ day, model, cost }) => ({ day, model, cost: cost.toString() }))
        .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
      total: toGroup('', this.#total),
    }
  }

  #addDayModel({ at, model, cost = 0n }: QueryRecord): void {
    const day = dayOf(at)
    const key = `${day} ${model}`
    const known = this.#dayModels.get(key)
    if (known) known.cost += cost
    else if (this.#dayModels.size < MOST_DAY_MODELS) this.#dayModels.set(key, { day, model, cost })
  }

  #groupOf(grouping: Grouping, label: string): Sum {
    const groups = this.#groups[grouping]
    const known = groups.get(label)
    if (known) return known
    if (groups.size >= (grouping === 'day' ? MOST_DAYS : MOST_GROUPS)) return this.#rest[grouping]
    const sum = empty()
    groups.set(label, sum)
    return sum
  }
}

function count(sum: Sum, { cost, inputTokens = 0, outputTokens = 0 }: QueryRecord): void {
  sum.requests += 1
  if (cost === undefined) sum.unpriced += 1
  else sum.cost += cost
  sum.inputTokens += inputTokens
  sum.outputTokens += outputTokens
}

function toGroup(label: string, { cost, ...counts }: Sum): SpendingGroup {
  return { label, cost: cost.toString(), ...counts }
}

function costliestFirst(a: SpendingGroup, b: SpendingGroup): number {
  const more = BigInt(b.cost) - BigInt(a.cost)
  return more === 0n ? b.requests - a.requests : more > 0n ? 1 : -1
}

/** Yields the sums of a range as they grow. The last ones are complete. */
export async function* summarise(
  place: { readonly service: Service; readonly store: Pick<Store, 'settings'> },
  filter: HistoryFilter,
  signal: AbortSignal,
): AsyncGenerator<SpendingSummary, void> {
  const { names, source } = await createAccountHistory(place, filter, signal)
  const sums = new Sums()
  let [read, unreadable, yieldedAt] = [0, 0, -1]
  for await (const batch of readOn(source)) {
    signal.throwIfAborted()
    for (const record of batch.records) if (source.wanted?.(record) ?? true) sums.add(record)
    read += batch.records.length
    unreadable += batch.unreadable
    if (!batch.last && read < yieldedAt * (1 + TELL_SHARE)) continue
    yieldedAt = read
    yield { ...sums.read(names), read, of: Math.max(read, batch.total), unreadable }
  }
}
