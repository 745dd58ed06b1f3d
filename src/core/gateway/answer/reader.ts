import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import { SottoError } from '../../../shared/errors.ts'
import { responseTooLarge } from '../../../shared/limited-body.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { TokenUsage } from '../../../shared/receipt.ts'
import { isRecord } from '../../../shared/strict-json.ts'
import { failureInside } from './failure-inside.ts'
import { repairAnswer, type AnsweredModel } from './repair.ts'
import { readStep, type ChatStep } from './step.ts'
import { readStatedCost } from './usage.ts'

/** Larger events are refused. No event of a chat completion is as large. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024
/** The limit for a whole answer, streamed or not. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const DONE = '[DONE]'
const DONE_EVENT = `data: ${DONE}\n\n`

/** A step of the answer, or only a sign that the service is still working. */
export type AnswerEvent = ChatStep | 'waiting'

/** A piece of an answer: its events, and the text that a caller of chat completions gets. */
export interface AnswerPiece {
  /** Whole server-sent events, or all of the JSON; may be empty. */
  readonly text: string
  readonly events: readonly AnswerEvent[]
  /** The answer is complete. */
  readonly done: boolean
}

export interface AnswerReaderOptions {
  /**
   * Whether the caller of chat completions requested the event with the usage. Otherwise `text` states no
   * usage.
   */
  readonly usage: boolean
  /** The number of choices that the request asks for (`n`). */
  readonly choices: number
  /** The model whose answer it is. */
  readonly model?: AnsweredModel
}

/**
 * Reads a chat completion's stream of server-sent events (WHATWG HTML section 9.2), however it's cut into
 * pieces. Every reader of a chat answer gets its result: the window, all three interfaces of the proxy,
 * receipts and budgets.
 *
 * A stream is complete if it contains `[DONE]`, or if every choice has a `finish_reason`. EHBP can't tell a
 * cut between frames from an end (SPEC 6.2.1), so nothing else counts. An error within the stream ends it.
 * The text before the error is still passed on.
 */
export class AnswerStreamReader {
  /** Undefined while nothing has failed. Once it's set, nothing more is read. */
  failure: SottoError | undefined
  usage: TokenUsage | undefined
  /** Pico-USD, as the stream states it. */
  cost: bigint | undefined
  /** The stream contained `[DONE]`. */
  done = false
  readonly #options: AnswerReaderOptions
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true })
  readonly #finished = new Set<number>()
  #received = 0
  /** The stream has ended. An event without its empty line was cut off. */
  #over = false
  #text = ''
  #events: AnswerEvent[] = []
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: (event) => this.#take(event),
    // Servers keep a connection alive with comments.
    onComment: (comment) => this.#comment(comment),
    onRetry: (ms) => {
      if (!this.done) this.#text += `retry: ${ms}\n\n`
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.failure ??= responseTooLarge()
    },
  })

  constructor(options: AnswerReaderOptions) {
    this.#options = options
  }

  /** Whether the answer is complete: it contained `[DONE]`, or each choice has a reason why it ended. */
  get complete(): boolean {
    return this.failure === undefined && (this.done || this.#finished.size >= this.#options.choices)
  }

  /**
   * Reads the events that `bytes` completes. Sets `failure` to service/response-invalid, or to the error in
   * the stream.
   */
  push(bytes: Uint8Array): AnswerPiece {
    this.#received += bytes.byteLength
    if (this.#received > MAX_ANSWER_BYTES) this.failure ??= responseTooLarge()
    if (this.failure === undefined) this.#parser.feed(this.#decoded(bytes))
    return this.#taken()
  }

  /** Reads the rest at the end of the stream. A complete stream without `[DONE]` gets one, because some callers wait for it. */
  end(): AnswerPiece {
    this.#over = true
    if (this.failure === undefined && !this.done) this.#parser.feed('\n\n')
    if (this.complete && !this.done) this.#text += DONE_EVENT
    return this.#taken()
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return this.#utf8.decode(bytes, { stream: true })
    } catch (cause) {
      this.failure = new SottoError('service/response-invalid', {
        detail: msg('The stream isn’t valid UTF-8.'),
        cause,
      })
      return ''
    }
  }

  #comment(comment: string): void {
    if (this.done || this.failure !== undefined) return
    this.#text += `: ${comment}\n\n`
    this.#events.push('waiting')
  }

  #take(event: EventSourceMessage): void {
    // Data after the end isn't part of the answer.
    if (this.done || this.failure !== undefined) return
    if (event.data === DONE) {
      this.done = true
      this.#text += DONE_EVENT
      return
    }
    if (this.#over) return
    try {
      const data = this.#note(event)
      if (data !== undefined) this.#text += eventText({ ...event, data })
    } catch (thrown) {
      this.failure =
        thrown instanceof SottoError ? thrown : new SottoError('service/response-invalid', { cause: thrown })
    }
  }

  /** @returns the data that the caller gets; undefined if it doesn't get this event */
  #note({ event, data }: EventSourceMessage): string | undefined {
    if (event === 'error') throw failureInside(errorIn(data))
    // An event with another name isn't part of a chat completion.
    if (event !== undefined && event !== 'message') return data
    const value = parsed(data, 'service/response-invalid')
    const repaired = repairAnswer(value, this.#options.model)
    const step = readStep(value)
    if (!step) return data
    this.#events.push(step)
    for (const index of step.finished) if (index < this.#options.choices) this.#finished.add(index)
    this.usage = step.usage ?? this.usage
    this.cost = readStatedCost(data) ?? this.cost
    if (this.#options.usage || !step.usage || !isRecord(value)) return repaired ? JSON.stringify(value) : data
    // Some servers state the usage in every chunk, and the first chunk has only the role.
    const { usage: _, ...others } = value
    const { choices } = others
    const hasChoices = Array.isArray(choices) && choices.length > 0
    return hasChoices || step.sources.length > 0 ? JSON.stringify(others) : undefined
  }

  #taken(): AnswerPiece {
    const piece = { text: this.#text, events: this.#events, done: this.complete && (this.done || this.#over) }
    this.#text = ''
    this.#events = []
    return piece
  }
}

/** An answer in one piece, with the usage and cost that it states. */
export interface WholeAnswer extends AnswerPiece {
  readonly usage: TokenUsage | undefined
  /** Pico-USD. */
  readonly cost: bigint | undefined
}

/**
 * Reads a chat completion that arrives in one piece.
 * @param cutOff the code for incomplete JSON
 * @param model the model whose answer it is
 * @throws {SottoError} `cutOff`; service/response-invalid – it isn't a chat completion; the error of
 * failureInside, if the answer contains one
 */
export function readWholeAnswer(json: string, cutOff: ErrorCode, model?: AnsweredModel): WholeAnswer {
  const value = parsed(json, cutOff)
  const repaired = repairAnswer(value, model)
  const step = readStep(value)
  if (!step || (step.finished.length === 0 && isEmpty(step)))
    throw new SottoError('service/response-invalid', { detail: msg('The response isn’t a chat completion.') })
  return {
    text: repaired ? JSON.stringify(value) : json,
    events: [step],
    done: true,
    usage: step.usage,
    cost: readStatedCost(json),
  }
}

function isEmpty({ text, refusal, reasoning, calls, parts }: ChatStep): boolean {
  return (
    text === '' &&
    refusal === '' &&
    reasoning.reasoning === '' &&
    reasoning.reasoning_content === '' &&
    calls.length === 0 &&
    parts.length === 0
  )
}

function parsed(json: string, code: ErrorCode): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new SottoError(code, {
      ...(code === 'service/response-invalid' && { detail: msg('Part of the stream isn’t valid JSON.') }),
      cause,
    })
  }
}

/** Returns the data of an `error` event: the error, an object that contains it, or text. */
function errorIn(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null && 'error' in value ? value.error : value
  } catch {
    return data
  }
}

function eventText({ id, event, data }: EventSourceMessage): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  return `${head}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`
}
