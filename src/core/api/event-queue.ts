/** Hands events from work that runs on to whoever reads them, in order. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = []
  #ended = false
  #failure: { readonly thrown: unknown } | undefined
  #wake: () => void = () => undefined

  push(event: T): void {
    this.#waiting.push(event)
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  fail(thrown: unknown): void {
    this.#failure = { thrown }
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) yield event
      if (this.#failure) throw this.#failure.thrown
      if (this.#ended) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
