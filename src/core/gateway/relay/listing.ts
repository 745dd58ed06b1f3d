import type { Listed } from '../service/http/shapes.ts'

/** After this long a listing is renewed before it is used. */
const FRESH_MS = 5 * 60_000
/** An id that is not listed has the listing fetched again, but not more often than this. */
const MISS_MS = 10_000

/** What the service lists, each entry by its id. */
export interface Listing<Entry> {
  /** At most five minutes old. Rejects as its load does. */
  readonly all: () => Promise<readonly Entry[]>
  /** The entry of exactly this id. */
  readonly find: (id: string) => Promise<Entry | undefined>
}

/** Keeps a listing; one fetch is in flight for all who ask. @param now Unix ms */
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
