import { z } from 'zod'
import { asSottoError, SottoError } from '../shared/errors.ts'
import type { Database } from './database.ts'
import { listKeys, type SharedKey } from './local-keys.ts'

const POLL_MS = 300
/** How long the keys count as current after the database was last asked. */
const CURRENT_MS = 1_000
const RECONNECT_MS = 1_000

const versionSchema = z.object({ version: z.coerce.number() })

export interface KeySnapshotOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  /** Ms from an arbitrary start, independent of the wall clock. */
  readonly monotonic: () => number
  /**
   * How long the database may be away before keys without a budget and rates are refused too, in ms. 0: no time.
   */
  readonly graceMs: number
  /** Called for each key that was revoked since the last time, so that its requests end. */
  readonly onRevoked?: (keyId: string) => void
  /** Called after each poll: the code of the failure, or undefined. */
  readonly onPoll?: (failure: string | undefined) => void
}

/** The local keys of all replicas, in this process's memory. */
export interface KeySnapshot extends Disposable {
  /**
   * Finds a key by its hash, without waiting.
   * @throws {SottoError} database/unreachable – the keys weren't confirmed within the last second, and the key has
   * limits or the grace period has ended
   */
  find(hash: string): SharedKey | null
  /** Waits for a poll if the keys aren't current, for example after this process was paused. Never rejects. */
  confirm(): Promise<void> | undefined
  /** Whether a private request of this key may be sent while the database is away. */
  mayGoOn(keyId: string): boolean
  list(): readonly SharedKey[]
  /** Whether the database confirmed the keys within the last second. */
  isCurrent(): boolean
}

/**
 * Loads the keys, and asks for a newer version at each notification and every 300 ms. Only a poll confirms the
 * keys, because a notification can be lost. A poll that began after a revocation sees it, so within a second
 * either the revocation is known here, or the keys aren't current.
 * @throws {SottoError} database/… – the keys can't be loaded
 */
export async function startKeySnapshot({
  database,
  monotonic,
  graceMs,
  onRevoked,
  onPoll,
}: KeySnapshotOptions): Promise<KeySnapshot> {
  const stop = new AbortController()
  let version = -1
  let keys: readonly SharedKey[] = []
  let byHash = new Map<string, SharedKey>()
  let confirmedAt = -Infinity
  let polling: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function load(): Promise<void> {
    const begun = monotonic()
    const [row] = await database.query(versionSchema, 'SELECT version FROM key_version')
    if (!row) throw new SottoError('database/damaged')
    if (row.version !== version) {
      // Read after the version: they may be newer, never older.
      replace(await listKeys(database))
      version = row.version
    }
    confirmedAt = begun
  }
  function replace(next: readonly SharedKey[]): void {
    const revoked = next.filter(
      ({ id, revokedAt }) =>
        revokedAt !== undefined && keys.some((key) => key.id === id && key.revokedAt === undefined),
    )
    keys = next
    byHash = new Map(next.map((key) => [key.hash, key]))
    for (const { id } of revoked) onRevoked?.(id)
  }
  function poll(): Promise<void> {
    clearTimeout(timer)
    polling ??= load()
      .then(
        () => onPoll?.(undefined),
        (thrown: unknown) => onPoll?.(asSottoError(thrown).code),
      )
      .finally(() => {
        polling = undefined
        if (!stop.signal.aborted) timer = setTimeout(() => void poll(), POLL_MS)
      })
    return polling
  }
  function listen(): void {
    if (stop.signal.aborted) return
    database
      .listen('sotto_keys', () => void notified(), stop.signal)
      .catch(() => undefined)
      .finally(() => setTimeout(listen, RECONNECT_MS).unref())
  }
  /** A poll in progress may have read the version before the change. */
  async function notified(): Promise<void> {
    await polling
    if (!stop.signal.aborted) await poll()
  }

  const isCurrent = (): boolean => monotonic() - confirmedAt <= CURRENT_MS
  const isInGrace = (key: SharedKey): boolean =>
    isUnlimited(key) && monotonic() - confirmedAt <= CURRENT_MS + graceMs

  await load()
  void poll()
  listen()
  return {
    find(hash) {
      const key = byHash.get(hash)
      if (isCurrent()) return key ?? null
      if (key && graceMs > 0 && isInGrace(key)) return key
      throw new SottoError('database/unreachable')
    },
    confirm: () => (isCurrent() ? undefined : poll()),
    mayGoOn: (keyId) => {
      const key = keys.find(({ id }) => id === keyId)
      return graceMs > 0 && key !== undefined && key.revokedAt === undefined && isInGrace(key)
    },
    list: () => keys,
    isCurrent,
    [Symbol.dispose]() {
      stop.abort()
      clearTimeout(timer)
    },
  }
}

/** Whether a key has no limit that replicas count together. An owner and their group may have a budget. */
function isUnlimited({ limits, ownerId }: SharedKey): boolean {
  const { budget, requestsPerMinute, tokensPerMinute, parallelRequests } = limits
  return [budget, requestsPerMinute, tokensPerMinute, parallelRequests, ownerId].every(
    (limit) => limit === undefined,
  )
}
