/** Tells any number of readers the latest value of each key that changed. A slow reader misses values in between. */
export class ChangeFeed<V> {
  readonly #readers = new Set<(key: string, value: V) => void>()

  get isWatched(): boolean {
    return this.#readers.size > 0
  }

  note(key: string, value: V): void {
    for (const reader of this.#readers) reader(key, value)
  }

  /**
   * Yields first nothing, and then the changes since, until `signal` aborts. The first `next` begins the reading, so
   * that a caller that loads the current state after it misses no change.
   */
  async *read(signal: AbortSignal): AsyncGenerator<V[], void> {
    const changed = new Map<string, V>()
    let wake = (): void => undefined
    const reader = (key: string, value: V): void => {
      changed.set(key, value)
      wake()
    }
    const stop = (): void => wake()
    this.#readers.add(reader)
    signal.addEventListener('abort', stop)
    try {
      yield []
      while (!signal.aborted) {
        const values = [...changed.values()]
        changed.clear()
        if (values.length > 0) yield values
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      this.#readers.delete(reader)
      signal.removeEventListener('abort', stop)
    }
  }
}
