interface Watcher {
  readonly changed: Set<string>
  wake: () => void
}

/** Notifies windows that watch the top-ups. Each gets the changes since its last read, however slow it is. */
export class TopupWatchers {
  readonly #watchers = new Set<Watcher>()

  get any(): boolean {
    return this.#watchers.size > 0
  }

  changed(topupId: string): void {
    for (const watcher of this.#watchers) {
      watcher.changed.add(topupId)
      watcher.wake()
    }
  }

  /**
   * Yields IDs of changed top-ups until the signal is aborted. Watching begins with the first call of next.
   */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly string[], void> {
    const watcher: Watcher = { changed: new Set(), wake: () => undefined }
    const wake = (): void => watcher.wake()
    signal.addEventListener('abort', wake)
    this.#watchers.add(watcher)
    try {
      yield []
      while (!signal.aborted) {
        if (watcher.changed.size === 0) await new Promise<void>((resolve) => (watcher.wake = resolve))
        const ids = [...watcher.changed]
        watcher.changed.clear()
        if (ids.length > 0) yield ids
      }
    } finally {
      this.#watchers.delete(watcher)
      signal.removeEventListener('abort', wake)
    }
  }
}
