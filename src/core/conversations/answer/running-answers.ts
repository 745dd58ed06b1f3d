import type { ChatEvent } from '../../../shared/contract/sotto-contract.ts'
import { ChatEvents } from '../chat-events.ts'

/** The caller who asked for an answer and reads it while it arrives. */
export interface Reader {
  readonly callerId: string
  readonly signal: AbortSignal | undefined
  /** Whether the answer stops when this reader leaves. A window can be reloaded; a command ends with its terminal. */
  readonly stopsAnswer: boolean
}

interface Running {
  readonly conversationId: string
  readonly callerId: string
  readonly events: ChatEvents
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** The answers in progress. The core owns them, so that an answer outlives the tab that asked for it. */
export class RunningAnswers implements AsyncDisposable {
  readonly #running = new Map<string, Running>()

  /**
   * Starts an answer and reads it. If the first event doesn't reach the reader, then the answer stops,
   * because no window would know its ID.
   *
   * @param work writes the answer, and pushes its events. When its signal aborts, it ends the answer.
   */
  async *start(
    place: { readonly conversationId: string; readonly answerId: string },
    reader: Reader,
    work: (events: ChatEvents, signal: AbortSignal) => Promise<void>,
  ): AsyncGenerator<ChatEvent, void> {
    const events = new ChatEvents()
    const stop = new AbortController()
    let known = false
    const onLeft = (): void => {
      if (!known || reader.stopsAnswer) stop.abort()
    }
    reader.signal?.addEventListener('abort', onLeft)
    if (reader.signal?.aborted) onLeft()
    const done = work(events, stop.signal)
      .then(
        () => events.end(),
        (thrown: unknown) => events.fail(thrown),
      )
      .finally(() => this.#running.delete(place.answerId))
    const { conversationId } = place
    this.#running.set(place.answerId, { conversationId, callerId: reader.callerId, events, stop, done })
    try {
      // A reader whose answer stops still gets its last event.
      for await (const event of events.read(reader.stopsAnswer ? undefined : reader.signal)) {
        yield event
        known = true
      }
    } finally {
      reader.signal?.removeEventListener('abort', onLeft)
      onLeft()
      if (stop.signal.aborted) await done
    }
  }

  /** Reads an answer from its beginning; undefined if it isn't in progress. */
  follow(answerId: string, signal: AbortSignal | undefined): AsyncGenerator<ChatEvent, void> | undefined {
    return this.#running.get(answerId)?.events.read(signal)
  }

  /** @returns whether the answer was in progress */
  stop(answerId: string): boolean {
    const running = this.#running.get(answerId)
    running?.stop.abort()
    return running !== undefined
  }

  /** Stops the answers in a conversation that is deleted. */
  stopIn(conversationId: string): void {
    this.#stopAll((running) => running.conversationId === conversationId)
  }

  /** Stops the answers that a window asked for, because it was signed out. */
  stopOf(callerId: string): void {
    this.#stopAll((running) => running.callerId === callerId)
  }

  /** Stops every answer, and resolves when each is saved as far as it arrived. */
  async [Symbol.asyncDispose](): Promise<void> {
    const running = [...this.#running.values()]
    this.#stopAll(() => true)
    await Promise.all(running.map(({ done }) => done))
  }

  #stopAll(matches: (running: Running) => boolean): void {
    for (const running of this.#running.values()) if (matches(running)) running.stop.abort()
  }
}
