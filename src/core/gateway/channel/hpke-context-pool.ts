import { SETUP_BYTES } from '../../../ehbp/index.ts'

/** The number of contexts that are prepared for a burst of requests: 28 kB. */
export const STOCK = 256
/** The number of contexts that the preparer creates in one call: some milliseconds of processor time. */
export const BATCH = 32

/** An idle preparer is stopped after this time, because its thread uses some 20 MB. */
const REST_AFTER_MS = 60_000

/** Prepares HPKE contexts in parallel with the requests. */
export interface SetupPreparer {
  /**
   * Returns `count` contexts for this key, concatenated in memory that nothing else uses. After it rejects
   * once, every call rejects.
   */
  prepare(recipientPublicKey: Uint8Array, count: number): Promise<Uint8Array>
  close(): void
}

/**
 * Holds prepared contexts for the attested key in force. Each serves one request: `take` copies it and zeroes
 * the original. When another key or no key is in force, all contexts are zeroed and dropped. If the pool is
 * empty, the caller creates its context itself.
 */
export class HpkeContextPool {
  readonly #start: () => SetupPreparer
  #preparer: SetupPreparer | undefined
  /** The key for which the contexts are prepared; hex. */
  #key: string | undefined
  #batches: Uint8Array[] = []
  #count = 0
  #preparing = false
  #usable = true
  #rest: NodeJS.Timeout | undefined

  constructor(start: () => SetupPreparer) {
    this.#start = start
  }

  get count(): number {
    return this.#count
  }

  /** Puts this key (hex) in force and begins to prepare contexts for it. */
  serve(key: string): void {
    if (this.#key !== key) {
      this.drop()
      this.#key = key
    }
    this.#refill()
  }

  /** Puts no key in force. Zeroes and drops all contexts. */
  drop(): void {
    for (const batch of this.#batches) batch.fill(0)
    this.#batches = []
    this.#count = 0
    this.#key = undefined
  }

  /** Returns a context for this key, in memory that only the caller uses; undefined if the pool is empty. */
  take(key: string): Uint8Array | undefined {
    this.serve(key)
    const batch = this.#batches.at(-1)
    if (batch === undefined) return undefined
    const left = this.#count % BATCH === 0 ? BATCH : this.#count % BATCH
    const inStock = batch.subarray((left - 1) * SETUP_BYTES, left * SETUP_BYTES)
    // Not `slice()`: a Buffer's slice shares its memory, and the next line would zero the returned context.
    const setup = new Uint8Array(inStock)
    inStock.fill(0)
    this.#count -= 1
    if (left === 1) this.#batches.pop()
    return setup
  }

  close(): void {
    this.drop()
    this.#usable = false
    this.#dismiss()
  }

  #dismiss(): void {
    clearTimeout(this.#rest)
    this.#preparer?.close()
    this.#preparer = undefined
  }

  /** Refills the pool, a batch at a time, when it's at most half full. */
  #refill(): void {
    if (!this.#usable || this.#preparing || this.#count > STOCK / 2) return
    void this.#fill()
  }

  async #fill(): Promise<void> {
    this.#preparing = true
    clearTimeout(this.#rest)
    try {
      while (this.#usable && this.#key !== undefined && this.#count <= STOCK - BATCH)
        await this.#addBatch(this.#key)
      if (this.#usable) this.#rest = setTimeout(() => this.#dismiss(), REST_AFTER_MS).unref()
    } catch {
      // Without the preparer, each request creates its context itself.
      this.close()
    } finally {
      this.#preparing = false
    }
  }

  async #addBatch(key: string): Promise<void> {
    this.#preparer ??= this.#start()
    const batch = await this.#preparer.prepare(Buffer.from(key, 'hex'), BATCH)
    if (batch.byteLength !== BATCH * SETUP_BYTES) throw new RangeError('a batch of another size')
    // The key may have changed during the call.
    if (key !== this.#key) batch.fill(0)
    else {
      this.#batches.unshift(batch)
      this.#count += BATCH
    }
  }
}
