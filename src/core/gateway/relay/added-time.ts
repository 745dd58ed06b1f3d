/** The time that Sotto added to one request before its answer began to be passed on, in ms. */
export interface Timing {
  /** The time spent here, without the time spent waiting for a verification or for the service. */
  readonly addedMs: number
  /** How long the request waited for a verdict: nearly 0 while one is in force; absent if it needs none. */
  readonly proofMs: number | undefined
  /** A part of `addedMs`. */
  readonly sealMs: number | undefined
}

/** The clock of one request. It pauses while the request waits for something outside. */
export class AddedTime {
  /** By performance.now(), like all its times. */
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

  /** Begins waiting for a verdict, or for the rest of an answer that is passed on as a whole. */
  waits(): void {
    this.#waitsSince ??= performance.now()
  }

  proven(): void {
    this.#sealsSince = performance.now()
    this.#proofMs = (this.#proofMs ?? 0) + this.#resume(this.#sealsSince)
  }

  /** The request is passed to the network. */
  leaves(): void {
    const now = performance.now()
    if (this.#proofMs !== undefined) this.#sealMs = (this.#sealMs ?? 0) + now - this.#sealsSince
    this.#waitsSince ??= now
  }

  /** The answer has arrived, as far as its first byte for the caller needs it. */
  answered(): void {
    this.#resume(performance.now())
  }

  /** Ends the measurement at the first byte. For a request that ends earlier, returns all added time. */
  read(): Timing {
    // Counts up to now, or to the start of the current wait. Rounding could make the sum negative.
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
