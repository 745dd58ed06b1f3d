import { SottoError } from '../../../src/shared/errors.ts'

interface Waiter {
  readonly until: number
  readonly wake: () => void
}

/** Time that advances only when a test lets it. Callers that wait wake in order, without a real delay. */
export class VirtualClock {
  time: number
  readonly #waiters = new Set<Waiter>()
  /** The requested waits in ms, in the order of the requests. */
  readonly waits: number[] = []

  constructor(time: number) {
    this.time = time
  }

  readonly now = (): number => this.time

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      this.waits.push(ms)
      const stop = (): void => {
        this.#waiters.delete(waiter)
        reject(new SottoError('request/canceled'))
      }
      const waiter: Waiter = {
        until: this.time + ms,
        wake: () => {
          signal.removeEventListener('abort', stop)
          resolve()
        },
      }
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      this.#waiters.add(waiter)
    })

  /** Advances the time by this much. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms
    for (await settled(); ; await settled()) {
      const next = this.#next()
      if (!next || next.until > end) break
      this.#wake(next)
    }
    this.time = end
  }

  /** Advances the time until `so` holds, at most a day. */
  async until(so: () => boolean): Promise<void> {
    const end = this.time + 25 * 3_600_000
    for (await settled(); !so(); await settled()) {
      const next = this.#next()
      if (!next || next.until > end) throw new Error('it never came')
      this.#wake(next)
    }
  }

  /** Advances the time until the promise is settled. */
  async through<T>(promise: Promise<T>): Promise<T> {
    let done = false
    promise.then(
      () => {
        done = true
      },
      () => {
        done = true
      },
    )
    await this.until(() => done)
    return promise
  }

  #next(): Waiter | undefined {
    return [...this.#waiters].sort((a, b) => a.until - b.until)[0]
  }

  #wake(waiter: Waiter): void {
    this.#waiters.delete(waiter)
    this.time = Math.max(this.time, waiter.until)
    waiter.wake()
  }
}

/** Waits until everything has run that doesn't wait for outside events. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++)
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
}
