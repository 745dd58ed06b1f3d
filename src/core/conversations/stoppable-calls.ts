import { SottoError } from '../../shared/errors.ts'

/** Calls that are stopped by their ID, because a call over app:// isn't aborted when the window leaves it. */
export class StoppableCalls {
  /** Several calls may have the same ID. */
  readonly #running = new Map<string, Set<AbortController>>()

  /** Runs the work with a signal that aborts with `signal`, or with request/canceled when the ID is stopped. */
  async run<T>(
    id: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const stop = new AbortController()
    const stops = this.#running.get(id) ?? new Set()
    this.#running.set(id, stops.add(stop))
    try {
      return await work(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal)
    } finally {
      stops.delete(stop)
      if (stops.size === 0) this.#running.delete(id)
    }
  }

  /** Stops all calls with this ID. Does nothing if there is none. */
  stop(id: string): void {
    for (const stop of this.#running.get(id) ?? []) stop.abort(new SottoError('request/canceled'))
  }
}
