import { SottoError } from './errors.ts'

const MIB = 1024 * 1024

/** The limit on the sum of all request bodies if none is configured. */
export const DEFAULT_BODY_MEMORY_BYTES = 512 * MIB
/** One body of the largest size must always fit, or such a request could be retried forever. */
export const MIN_BODY_MEMORY_BYTES = 64 * MIB

const RETRY_AFTER_SECONDS = 5

export interface BodyBudgetOptions {
  /** The most that all bodies may take together, in bytes. */
  readonly bytes?: number
  /** Called whenever a body was released. */
  readonly onRelease?: () => void
}

/**
 * Bounds the memory that request bodies take together. Every server of the process shares one budget and counts each body in
 * it from its first byte until nothing refers to the body any more.
 *
 * Bytes count when they arrive, not when they are announced: a caller that announces bodies and never sends them takes nothing
 * from the others.
 */
export class BodyBudget {
  readonly #bytes: number
  readonly #onRelease: (() => void) | undefined
  #held = 0

  constructor({ bytes = DEFAULT_BODY_MEMORY_BYTES, onRelease }: BodyBudgetOptions = {}) {
    this.#bytes = Math.max(bytes, MIN_BODY_MEMORY_BYTES)
    this.#onRelease = onRelease
  }

  /** Bytes of all bodies in memory now. */
  get heldBytes(): number {
    return this.#held
  }

  /**
   * Starts counting one body. Dispose of the result as soon as nothing refers to the body any more.
   *
   * @param announcedBytes Content-Length; undefined for a chunked body
   * @param maxBytes the limit for this body
   * @throws {SottoError} proxy/body-too-large – more than `maxBytes` are announced
   * @throws {SottoError} proxy/busy – the announced size doesn't fit in addition to the bodies in memory
   */
  begin(announcedBytes: number | undefined, maxBytes: number): CountedBody {
    if (announcedBytes !== undefined) {
      if (announcedBytes > maxBytes) throw new SottoError('proxy/body-too-large')
      this.#requireCapacity(announcedBytes)
    }
    return new CountedBody(maxBytes, {
      take: (bytes) => {
        this.#requireCapacity(bytes)
        this.#held += bytes
      },
      release: (bytes) => {
        this.#held -= bytes
        this.#onRelease?.()
      },
    })
  }

  #requireCapacity(bytes: number): void {
    if (bytes > this.#bytes - this.#held)
      throw new SottoError('proxy/busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}

/** One body in the budget. */
export class CountedBody implements Disposable {
  readonly #maxBytes: number
  readonly #budget: { take(bytes: number): void; release(bytes: number): void }
  #bytes = 0
  #released = false

  constructor(maxBytes: number, budget: { take(bytes: number): void; release(bytes: number): void }) {
    this.#maxBytes = maxBytes
    this.#budget = budget
  }

  /**
   * Counts the next piece before it's stored.
   *
   * @throws {SottoError} proxy/body-too-large – the body exceeds its limit
   * @throws {SottoError} proxy/busy – the piece doesn't fit in addition to the bodies in memory
   */
  add(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw new SottoError('proxy/body-too-large')
    this.#budget.take(bytes)
    this.#bytes += bytes
  }

  /** Moves the bytes to a new object, for a body that is used longer than this one. This one counts none of them any more. */
  move(): CountedBody {
    const moved = new CountedBody(this.#maxBytes, this.#budget)
    moved.#bytes = this.#bytes
    this.#bytes = 0
    return moved
  }

  [Symbol.dispose](): void {
    if (this.#released) return
    this.#released = true
    this.#budget.release(this.#bytes)
    this.#bytes = 0
  }
}
