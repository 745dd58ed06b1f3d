import type { Listed } from '../service/http/shapes.ts'

/** A listing of this age is refreshed before it's used. */
const FRESH_MS = 5 * 60_000
/** An unknown ID refreshes the listing, but not more often than this. */
const MISS_MS = 10_000

/** A list of the service, each entry by its ID. */
export interface Listing<Entry> {
  /** At most five minutes old. Rejects with the errors of `load`. */
  readonly all: () => Promise<readonly Entry[]>
  /** Returns the entry of exactly this ID. */
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
  let loading: Promise<void> | null = null

  function reload(): Promise<void> {
    loading ??= load()
      .then(({ entries }) => {
        byId = new Map(entries.map((entry) => [idOf(entry), entry]))
        loadedAt = now()
      })
      .finally(() => (loading = null))
    return loading
  }

  const age = (): number => Math.abs(now() - loadedAt)

  return {
    async all() {
      if (age() > FRESH_MS) await reload()
      return [...byId.values()]
    },
    async find(id) {
      if (age() > FRESH_MS || (!byId.has(id) && age() > MISS_MS)) await reload()
      return byId.get(id)
    },
  }
}
