import {
  outputItems,
  type EarlierItems,
  type EarlierResponses,
  type CachedItem,
} from '../dialect/responses/index.ts'
import { SottoError } from '../../../shared/errors.ts'
import { isJsonObject, parseStrictJson, type JsonObject } from '../../../shared/strict-json.ts'

const LIFETIME_MS = 60 * 60_000
const SWEEP_MS = 60_000

export interface ResponseCacheOptions {
  /** Unix ms. */
  readonly now: () => number
  /** Ms from an arbitrary start, independent of the wall clock. */
  readonly monotonic: () => number
  /** The number of responses for each local key. */
  readonly perKey?: number
  /** The limit for the JSON of all responses together, in UTF-8. */
  readonly bytes?: number
}

/** A response at the time when its request was sent. */
export interface NewResponse {
  readonly id: string
  readonly keyId: string
  /** `epoch` when the request was read. */
  readonly epoch: number
  readonly privacy: EarlierItems['privacy']
  readonly context: readonly CachedItem[]
  /** Ends the request. Not a function, because its scope would keep the request in memory. */
  readonly cancelling: AbortController
}

interface Entry extends Omit<NewResponse, 'epoch'> {
  readonly at: number
  readonly monotonicAt: number
  readonly ended: PromiseWithResolvers<void>
  running: boolean
  /** The Response as JSON; null until its answer begins. */
  json: string | null
  outputIds: readonly string[]
  bytes: number
}

/**
 * Caches responses of the Responses API in memory, each for the local key that created it. Entries are
 * dropped an hour after their request. Beyond the limits, the least recently used are dropped. When the
 * account changes or the vault locks, all are dropped. Nothing is written to disk.
 * @see docs/decisions/0032-responses-in-memory.md
 */
export class ResponseCache implements Disposable {
  readonly #options: Required<ResponseCacheOptions>
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()
  #bytes = 0
  #epoch = 0
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: ResponseCacheOptions) {
    this.#options = { perKey: 200, bytes: 64 * 1024 * 1024, ...options }
  }

  /** Changes when everything is dropped. A request that began earlier then adds nothing. */
  get epoch(): number {
    return this.#epoch
  }

  /** The size of all cached JSON. */
  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#entries.size
  }

  /** Adds a response that is in progress. */
  begin({ epoch, ...response }: NewResponse): void {
    if (epoch !== this.#epoch) return
    this.#sweep()
    const bytes = response.context.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0)
    const { now, monotonic, perKey } = this.#options
    const entry: Entry = {
      ...response,
      at: now(),
      monotonicAt: monotonic(),
      ended: Promise.withResolvers(),
      running: true,
      json: null,
      outputIds: [],
      bytes,
    }
    this.#entries.set(entry.id, entry)
    this.#bytes += bytes
    const ofKey = [...this.#entries.values()].filter(({ keyId }) => keyId === entry.keyId)
    for (const oldest of ofKey.slice(0, -perKey)) this.#drop(oldest)
    this.#fit(entry)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /**
   * Replaces a response in progress with its newer state or its end. Does nothing if it was dropped or has
   * ended.
   */
  update(id: string, response: JsonObject): void {
    const entry = this.#entries.get(id)
    if (entry?.running !== true) return
    const json = JSON.stringify(response)
    const bytes = Buffer.byteLength(json) - (entry.json === null ? 0 : Buffer.byteLength(entry.json))
    entry.json = json
    entry.outputIds = outputItems(response).map((item) => item.id)
    entry.bytes += bytes
    this.#bytes += bytes
    if (response['status'] !== 'in_progress') {
      entry.running = false
      entry.ended.resolve()
    }
    this.#fit(entry)
  }

  /** Returns the responses of one key that its requests may refer to. */
  earlier(keyId: string): EarlierResponses {
    return {
      response: (id) => {
        const entry = this.#find(keyId, id)
        if (!entry || entry.running) return null
        return { privacy: entry.privacy, items: [...entry.context, ...outputItems(responseOf(entry))] }
      },
      item: (id) => {
        this.#sweep()
        const holds = (entry: Entry): boolean =>
          entry.keyId === keyId &&
          (entry.outputIds.includes(id) || entry.context.some((item) => item.id === id))
        const entry = [...this.#entries.values()].findLast(holds)
        if (!entry) return null
        this.#touch(entry)
        return {
          privacy: entry.privacy,
          items: [...entry.context, ...outputItems(responseOf(entry))]
            .filter((item) => item.id === id)
            .slice(0, 1),
        }
      },
    }
  }

  /** Returns the Response as JSON. @throws {SottoError} response/unknown */
  retrieve(keyId: string, id: string): string {
    return this.#require(keyId, id).json ?? unknown()
  }

  /** @throws {SottoError} response/unknown */
  inputItems(keyId: string, id: string): readonly CachedItem[] {
    return this.#require(keyId, id).context
  }

  /** Deletes a response, and ends its request if it's in progress. @throws {SottoError} response/unknown */
  delete(keyId: string, id: string): void {
    const entry = this.#require(keyId, id)
    this.#drop(entry)
    if (entry.running) entry.cancelling.abort(new SottoError('request/canceled'))
  }

  /**
   * Ends the request of a response.
   *
   * @returns the Response as JSON, with the output so far
   * @throws {SottoError} response/unknown; response/not-running – it has ended
   */
  async cancel(keyId: string, id: string): Promise<string> {
    const entry = this.#require(keyId, id)
    if (!entry.running) throw new SottoError('response/not-running')
    entry.cancelling.abort(new SottoError('request/canceled'))
    await entry.ended.promise
    return entry.json ?? unknown()
  }

  /** Drops all responses of a revoked key. */
  dropKey(keyId: string): void {
    for (const entry of this.#entries.values()) if (entry.keyId === keyId) this.#drop(entry)
  }

  /** Drops all responses. */
  clear(): void {
    this.#epoch += 1
    for (const entry of this.#entries.values()) this.#drop(entry)
  }

  [Symbol.dispose](): void {
    this.clear()
    // No epoch equals it, so nothing more is cached.
    this.#epoch = Number.NaN
  }

  #require(keyId: string, id: string): Entry {
    return this.#find(keyId, id) ?? unknown()
  }

  #find(keyId: string, id: string): Entry | null {
    this.#sweep()
    const entry = this.#entries.get(id)
    if (entry?.keyId !== keyId) return null
    this.#touch(entry)
    return entry
  }

  #touch(entry: Entry): void {
    this.#entries.delete(entry.id)
    this.#entries.set(entry.id, entry)
  }

  /**
   * Drops the least recently used until all fit. If `entry` exceeds the limit on its own, only `entry` is
   * dropped.
   */
  #fit(entry: Entry): void {
    if (entry.bytes > this.#options.bytes) this.#drop(entry)
    for (const oldest of this.#entries.values()) {
      if (this.#bytes <= this.#options.bytes) return
      this.#drop(oldest)
    }
  }

  /**
   * Drops expired entries by both clocks: the monotonic one stops during sleep, and the wall clock can be set
   * back.
   */
  #sweep(): void {
    const { now, monotonic } = this.#options
    for (const entry of this.#entries.values()) {
      if (now() - entry.at >= LIFETIME_MS || monotonic() - entry.monotonicAt >= LIFETIME_MS) this.#drop(entry)
    }
  }

  #drop(entry: Entry): void {
    if (!this.#entries.delete(entry.id)) return
    this.#bytes -= entry.bytes
    entry.ended.resolve()
    if (this.#entries.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }
}

function responseOf({ json }: Entry): JsonObject {
  const response = json === null ? null : parseStrictJson(json)
  return isJsonObject(response) ? response : {}
}

function unknown(): never {
  throw new SottoError('response/unknown')
}
