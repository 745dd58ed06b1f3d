import { createParser } from 'eventsource-parser'
import { SottoError } from '../../../shared/errors.ts'
import { say } from '../../../shared/say.ts'
import { readChunk, type ChatStep } from './chat-answer.ts'

/** No event of a chat completion is larger. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024
/** The same as of an answer in one piece. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Is told what comes, in order, and what stands before a failure before it. */
export interface ChatEventSink {
  step(step: ChatStep): void
  /** Nothing came but a sign of life. */
  waiting(): void
  finish(): void
}

/** Reads a chat completion's event stream (WHATWG server-sent events), however it was cut into pieces. */
export class ChatEventReader {
  readonly #sink: ChatEventSink
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  #received = 0
  #done = false
  #over = false
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ event, data }) => this.#onEvent(event, data),
    // Servers keep a connection alive with comments.
    onComment: () => this.#sink.waiting(),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw tooLarge()
    },
  })

  constructor(sink: ChatEventSink) {
    this.#sink = sink
  }

  /** Tells the events that `bytes` completes. Throws service/response-invalid, service/failed. */
  read(bytes: Uint8Array): void {
    this.#received += bytes.byteLength
    if (this.#received > MAX_ANSWER_BYTES) throw tooLarge()
    this.#parser.feed(this.#decode(bytes))
  }

  /**
   * Tells the end of a stream that stops right behind its last word: an event without its empty line is one that was cut off, unless
   * it says that the stream is done. Throws service/interrupted where nothing said so.
   */
  end(): void {
    this.#over = true
    if (!this.#done) this.#parser.feed('\n\n')
    if (!this.#done) throw new SottoError('service/interrupted')
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#utf8.decode(bytes, { stream: true })
    } catch (cause) {
      throw new SottoError('service/response-invalid', { detail: say('The stream isn’t valid UTF-8.'), cause })
    }
  }

  #onEvent(event: string | undefined, data: string): void {
    // What follows the end is no part of the answer.
    if (this.#done) return
    if (data === '[DONE]') {
      this.#sink.finish()
      this.#done = true
      return
    }
    if (this.#over) return
    if (event === 'error') throw new SottoError('service/failed', { detail: say('The error was inside its response.') })
    // An event of another name is no part of a chat completion.
    if (event !== undefined && event !== 'message') return
    const step = readChunk(parse(data))
    if (step) this.#sink.step(step)
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { detail: say('Part of the stream isn’t valid JSON.'), cause })
  }
}

function tooLarge(): SottoError {
  return new SottoError('service/response-invalid', { detail: say('It exceeds the size limit.') })
}
