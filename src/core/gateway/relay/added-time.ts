/** What Sotto added to one request until its answer began to be passed on, in ms. */
export interface Timing {
  /** What was done here. What was waited for is not in it: a proof that had to be made, and the service. */
  readonly addedMs: number
  /** How long the request waited for a verdict, which is next to nothing while one is in force; absent where it needs none. */
  readonly proofMs: number | undefined
  /** A part of `addedMs`. */
  readonly sealMs: number | undefined
}

/** The clock of one request. It stands still while something outside is waited for. */
export class AddedTime {
  /** Of performance.now(), as all that it reads. */
  readonly started: number
  #waited = 0
  #waitsSince: number | undefined
  #sealsSince = 0
  #proofMs: number | undefined
  #sealMs: number | undefined
  #addedMs: number | undefined

  constructor(started: number) {
    this.started = started
  }

  /** A verdict is asked for, or the rest of an answer that is passed on whole. */
  waits(): void {
    this.#waitsSince ??= performance.now()
  }

  proven(): void {
    this.#sealsSince = performance.now()
    this.#proofMs = (this.#proofMs ?? 0) + this.#resume(this.#sealsSince)
  }

  /** The request is handed to the network. */
  leaves(): void {
    const now = performance.now()
    if (this.#proofMs !== undefined) this.#sealMs = (this.#sealMs ?? 0) + now - this.#sealsSince
    this.#waitsSince ??= now
  }

  /** The answer is here, or as much of it as its first byte for the caller needs. */
  answered(): void {
    this.#resume(performance.now())
  }

  /** From here on nothing is added to the wait for a first byte. Of a request that ends before, all that was added. */
  read(): Timing {
    // Up to now, or to where the wait began that goes on. Sums of what is not exact may fall below nothing.
    this.#addedMs ??= Math.max(0, (this.#waitsSince ?? performance.now()) - this.started - this.#waited)
    return { addedMs: this.#addedMs, proofMs: this.#proofMs, sealMs: this.#sealMs }
  }

  #resume(now: number): number {
    if (this.#waitsSince === undefined) return 0
    const waited = now - this.#waitsSince
    this.#waited += waited
    this.#waitsSince = undefined
    return waited
  }
}
