import type { Listed } from '../service/http/shapes.ts'

/** A listing of this age is refreshed before it's used. */
const FRESH_MS = 5 * 60_000
/** An unknown ID refreshes the listing, but not more often than this. A refresh that failed isn't repeated sooner either. */
const MISS_MS = 10_000
/** If a refresh fails, an entry is found in a listing of this age, because the entry may still be used. */
const STALE_MS = 3_600_000

/** A list of the service, each entry by its ID. */
export interface Listing<Entry> {
  /** At most five minutes old. Rejects with the errors of `load`. */
  readonly all: () => Promise<readonly Entry[]>
  /**
   * Returns the entry of exactly this ID, from a listing at most five minutes old, or an hour if the service doesn't
   * list. Otherwise rejects with the errors of `load`.
   */
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

  return {
    async all() {
      if (age() > FRESH_MS) await reload()
      return [...byId.values()]
    },
    async find(id) {
      if (age() <= (byId.has(id) ? FRESH_MS : MISS_MS)) return byId.get(id)
      const known = age() <= STALE_MS ? byId.get(id) : undefined
      if (known !== undefined && since(failedAt) <= MISS_MS) return known
      try {
        await reload()
      } catch (error) {
        if (known === undefined) throw error
        return known
      }
      return byId.get(id)
    },
  }
}
