import type { KeyCall } from '../../shared/tool-call.ts'

/** The calls of local keys that wait for a person's decision. Windows follow the list. */
export class KeyCalls {
  readonly #waiting = new Map<string, KeyCall>()
  readonly #watchers = new Set<() => void>()

  /** Whether a window is open that shows a call. */
  get isWatched(): boolean {
    return this.#watchers.size > 0
  }

  /** Shows a call in all windows. @returns a function that removes it */
  show(call: KeyCall): () => void {
    this.#waiting.set(call.step.id, call)
    this.#changed()
    return () => {
      if (this.#waiting.delete(call.step.id)) this.#changed()
    }
  }

  /** Yields all waiting calls, and all of them again after each change, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<KeyCall[], void> {
    let change = Promise.withResolvers<undefined>()
    const wake = (): void => change.resolve(undefined)
    this.#watchers.add(wake)
    signal.addEventListener('abort', wake)
    try {
      while (!signal.aborted) {
        change = Promise.withResolvers<undefined>()
        yield [...this.#waiting.values()]
        await change.promise
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#watchers.delete(wake)
    }
  }

  #changed(): void {
    for (const wake of this.#watchers) wake()
  }
}
