import type { ChatEvent } from '../../shared/contract/sotto-contract.ts'

/**
 * Milliseconds between two pieces of an answer: one frame. More pieces aren't visible, and each costs the
 * window a tenth of its frame.
 */
const FRAME_MS = 16

/**
 * The events of one answer. Any number of readers follow them, each from the beginning: a window that was
 * reloaded, and every tab that shows the chat. A piece that arrives when none is pending is passed at once.
 * All pieces within the next frame are combined into one.
 */
export class ChatEvents {
  readonly #past: ChatEvent[] = []
  readonly #waiting = new Set<() => void>()
  #ended = false
  #failure: { readonly thrown: unknown } | undefined

  push(event: ChatEvent): void {
    this.#past.push(event)
    this.#wakeReaders()
  }

  end(): void {
    this.#ended = true
    this.#wakeReaders()
  }

  /** Readers get the events that arrived before, and then this error. */
  fail(thrown: unknown): void {
    this.#failure = { thrown }
    this.end()
  }

  /** Reads until the answer ends or `signal` aborts. Reading has no effect on the answer. */
  async *read(signal?: AbortSignal): AsyncGenerator<ChatEvent, void> {
    let next = 0
    while (!signal?.aborted) {
      let event = this.#past[next]
      if (event === undefined) {
        if (this.#failure) throw this.#failure.thrown
        if (this.#ended) return
        await this.#change(signal)
        continue
      }
      for (next += 1; event.type === 'delta'; next += 1) {
        const following = this.#past[next]
        if (following?.type !== 'delta') break
        event = joined(event, following)
      }
      yield event
      if (event.type === 'delta') await new Promise((resolve) => setTimeout(resolve, FRAME_MS))
    }
  }

  #wakeReaders(): void {
    for (const wake of this.#waiting) wake()
  }

  #change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }
}

type Delta = Extract<ChatEvent, { type: 'delta' }>

function joined(first: Delta, second: Delta): Delta {
  const text = (first.text ?? '') + (second.text ?? '')
  const reasoning = (first.reasoning ?? '') + (second.reasoning ?? '')
  return { type: 'delta', ...(text && { text }), ...(reasoning && { reasoning }) }
}
