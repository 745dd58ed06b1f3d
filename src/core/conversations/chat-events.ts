import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'

/** Milliseconds from one piece of an answer to the next: a frame. Nobody sees more of them, and each costs the window a tenth of its frame. */
const FRAME_MS = 16

/**
 * Hands what happens to an answer from the work that runs on to whoever reads it, in order. A piece that comes while nothing
 * waits is handed over at once; what comes within the next frame is one piece, however many tokens it has.
 */
export class ChatEvents implements AsyncIterable<ChatEvent> {
  readonly #waiting: ChatEvent[] = []
  #ended = false
  #failure: { readonly thrown: unknown } | undefined
  #wake: () => void = () => undefined

  push(event: ChatEvent): void {
    const last = this.#waiting.at(-1)
    if (event.type === 'delta' && last?.type === 'delta')
      this.#waiting[this.#waiting.length - 1] = joined(last, event)
    else this.#waiting.push(event)
    this.#wake()
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** What arrived before it is still handed over. */
  fail(thrown: unknown): void {
    this.#failure = { thrown }
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChatEvent, void> {
    for (;;) {
      for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
        yield event
        if (event.type === 'delta') await new Promise((resolve) => setTimeout(resolve, FRAME_MS))
      }
      if (this.#failure) throw this.#failure.thrown
      if (this.#ended) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

type Delta = Extract<ChatEvent, { type: 'delta' }>

function joined(first: Delta, second: Delta): Delta {
  const text = (first.text ?? '') + (second.text ?? '')
  const reasoning = (first.reasoning ?? '') + (second.reasoning ?? '')
  return { type: 'delta', ...(text && { text }), ...(reasoning && { reasoning }) }
}
