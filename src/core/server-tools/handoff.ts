interface Offer<Item> {
  readonly item: Item
  readonly release: () => void
}

/** Passes items from a running task to one reader, so that a slow reader slows the task. */
export class Handoff<Item> {
  readonly #stop: () => void
  readonly #offers: Offer<Item>[] = []
  #wake: () => void = () => undefined
  #left = false

  /** @param stop called when the reader leaves */
  constructor(stop: () => void) {
    this.#stop = stop
  }

  /** Offers an item. Resolves when the reader asks for the next one, or has left. */
  push(item: Item): Promise<void> {
    if (this.#left) return Promise.resolve()
    return new Promise((release) => {
      this.#offers.push({ item, release })
      this.#wake()
    })
  }

  /** Starts a task and yields its items until it ends. Throws what the task throws. */
  async *follow(start: () => Promise<void>): AsyncGenerator<Item, void> {
    const task = start()
    let ended = false
    const end = (): void => {
      ended = true
      this.#wake()
    }
    task.then(end, end)
    const hasEnded = (): boolean => ended
    try {
      while (!hasEnded() || this.#offers.length > 0) {
        const [offer] = this.#offers
        if (offer) {
          yield offer.item
          this.#offers.shift()
          offer.release()
        } else
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
      }
      await task
    } finally {
      this.#left = true
      for (const { release } of this.#offers) release()
      this.#stop()
    }
  }
}
