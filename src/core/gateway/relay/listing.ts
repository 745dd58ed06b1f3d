import type { Listed } from '../service/http/shapes.ts'

/** A listing of this age is refreshed before it's used. */
const FRESH_MS = 5 * 60_000
/** An unknown ID refreshes the listing, but not more often than this. While a listing stays in use, it's tried as often. */
const MISS_MS = 10_000
/** If a refresh fails, a listing of this age stays in use, because its entries still work. */
const STALE_MS = 3_600_000

/** A list of the service, each entry by its ID. */
export interface Listing<Entry> {
  /** At most five minutes old, or an hour if the service doesn't list. Rejects with the errors of `load`. */
  readonly all: () => Promise<readonly Entry[]>
  /** Returns the entry of exactly this ID, from such a listing. An ID that isn't in it is looked for in a new one. */
  readonly find: (id: string) => Promise<Entry | undefined>
}

/** Caches a listing. All callers share one fetch. @param now Unix ms */
export function createListing<Entry>(
  load: () => Promise<Pick<Listed<Entry>, 'entries'>>,
  idOf: (entry: Entry) => string,
  now: () => number,
): Listing<Entry> {
  let byId = new Map<string, Entry>()
  let loadedAt = -Infinity
  let failedAt = -Infinity
  let loading: Promise<void> | null = null

  function reload(): Promise<void> {
    loading ??= load()
      .then(({ entries }) => {
        byId = new Map(entries.map((entry) => [idOf(entry), entry]))
        loadedAt = now()
        failedAt = -Infinity
      })
      .catch((error: unknown) => {
        failedAt = now()
        throw error
      })
      .finally(() => (loading = null))
    return loading
  }

  const since = (at: number): number => Math.abs(now() - at)
  const age = (): number => since(loadedAt)

  /** Refreshes a listing above this age. If that fails and the listing is `usable`, it stays in use. */
  async function refresh(most: number, usable: boolean): Promise<void> {
    if (age() <= most) return
    const stays = usable && age() <= STALE_MS
    if (stays && since(failedAt) <= MISS_MS) return
    try {
      await reload()
    } catch (error) {
      if (!stays) throw error
    }
  }

  return {
    async all() {
      await refresh(FRESH_MS, true)
      return [...byId.values()]
    },
    async find(id) {
      const isListed = byId.has(id)
      await refresh(isListed ? FRESH_MS : MISS_MS, isListed)
      return byId.get(id)
    },
  }
}
