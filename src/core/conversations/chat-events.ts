import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'

/**
 * Milliseconds between two pieces of an answer: one frame. More pieces aren't visible, and each costs the
 * window a tenth of its frame.
 */
const FRAME_MS = 16

/**
 * Passes the events of an answer in order from the running work to the reader. A piece that arrives when
 * none is pending is passed at once. All pieces within the next frame are combined into one.
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

  /** Events that arrived before are still passed on. */
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
