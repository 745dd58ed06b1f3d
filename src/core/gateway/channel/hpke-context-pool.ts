import { SETUP_BYTES } from '../../../ehbp/index.ts'

/** What a burst can take at once: 28 kB. */
export const STOCK = 256
/** One errand of the preparer: some milliseconds of its processor. */
export const BATCH = 32

/** A preparer that is not needed for this long goes; its thread holds some 20 MB. */
const REST_AFTER_MS = 60_000

/** Prepares setups beside the requests. */
export interface SetupPreparer {
  /** `count` setups for this key, one after the other in memory that nobody else has. Rejects for good where it cannot. */
  prepare(recipientPublicKey: Uint8Array, count: number): Promise<Uint8Array>
  close(): void
}

/**
 * A few setups for the attested key now in force. Each serves one request: it is cut out of the stock and zeroed there in
 * the same step. All are dropped, and zeroed, as soon as another key is in force, or none. Where there is nothing in
 * stock the caller sets its request up itself.
 */
export class HpkeContextPool {
  readonly #start: () => SetupPreparer
  #preparer: SetupPreparer | undefined
  /** The key that all of the stock is for; hex. */
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

  /** This key (hex) is in force from now on: begins to prepare for it. */
  serve(key: string): void {
    if (this.#key !== key) {
      this.drop()
      this.#key = key
    }
    this.#refill()
  }

  /** No key is in force. */
  drop(): void {
    for (const batch of this.#batches) batch.fill(0)
    this.#batches = []
    this.#count = 0
    this.#key = undefined
  }

  /** A setup for this key, which is the caller's alone; undefined where there is none. */
  take(key: string): Uint8Array | undefined {
    this.serve(key)
    const batch = this.#batches.at(-1)
    if (batch === undefined) return undefined
    const left = this.#count % BATCH === 0 ? BATCH : this.#count % BATCH
    const inStock = batch.subarray((left - 1) * SETUP_BYTES, left * SETUP_BYTES)
    // Not by slice(): that of a Buffer shares its memory, and the next line would zero what is given out.
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

  /** From half on until it is full, a batch at a time. */
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
      // Without it every request is set up in line, as the first ones are.
      this.close()
    } finally {
      this.#preparing = false
    }
  }

  async #addBatch(key: string): Promise<void> {
    this.#preparer ??= this.#start()
    const batch = await this.#preparer.prepare(Buffer.from(key, 'hex'), BATCH)
    if (batch.byteLength !== BATCH * SETUP_BYTES) throw new RangeError('a batch of another size')
    // The key may have changed meanwhile.
    if (key !== this.#key) batch.fill(0)
    else {
      this.#batches.unshift(batch)
      this.#count += BATCH
    }
  }
}
