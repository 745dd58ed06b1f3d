import { createParser } from 'eventsource-parser'
import { isJsonObject, tryParseJson, type JsonObject, type JsonValue } from '../../shared/strict-json.ts'
import type { TokenUsage } from '../../shared/receipt.ts'
import { readStep, type AnswerPiece, type ChatStep } from '../gateway/answer/index.ts'
import { jsonObject } from '../gateway/dialect/read-request.ts'
import type { RelayAnswer } from '../gateway/relay/index.ts'
import type { RoundAnswer } from '../tools/index.ts'
import type { AnswerSums } from './answer-sums.ts'
import { RoundCalls } from './round-calls.ts'

/** Between the texts of two requests. */
export const PARAGRAPH = '\n\n'
const DONE_EVENT = 'data: [DONE]\n\n'

export interface JoinedAnswerOptions {
  /** The answer's ID, for calls without one. */
  readonly id: string
  /** Whether the caller requested the event with the usage. */
  readonly usage: boolean
  readonly isServerTool: (name: string) => boolean
  readonly sums: AnswerSums
  readonly emit: (piece: AnswerPiece) => Promise<void>
}

/** Joins the streams of several requests to one stream of a chat completion. */
export class JoinedStream {
  readonly #options: JoinedAnswerOptions
  /** The members that all chunks of an answer share, from its first chunk. */
  #base: JsonObject | undefined
  #hasText = false
  #rounds = 0
  #roundText = ''
  /** The end of the newest request: its choice without a delta. */
  #end: JsonObject | undefined

  constructor(options: JoinedAnswerOptions) {
    this.#options = options
  }

  /**
   * Passes one request's text on. Its calls are in the result if Sotto runs them.
   * @throws {SottoError} service/response-invalid – a call has no name; and the errors of the body
   */
  async read(answer: RelayAnswer): Promise<RoundAnswer> {
    const { id, isServerTool, sums } = this.#options
    const calls = new RoundCalls(isServerTool, `call_${id}_${String(this.#rounds)}_`)
    let usage: TokenUsage | undefined
    this.#roundText = ''
    this.#end = undefined
    for await (const piece of answer.body) {
      for (const event of piece.events) if (event !== 'waiting') usage = event.usage ?? usage
      for (const chunk of readEvents(piece.text))
        if (typeof chunk === 'string')
          await this.#options.emit({ text: chunk, events: ['waiting'], done: false })
        else await this.#pass(chunk, calls)
    }
    calls.end()
    sums.add(usage, answer.receipt())
    this.#rounds += 1
    // The token limit cut the calls off.
    const areRunHere = calls.areRunHere && this.#endReason() !== 'length'
    return { text: this.#roundText, calls: areRunHere ? calls.requested : [] }
  }

  /** Ends the stream, with the sums of all requests. */
  async finish(): Promise<void> {
    const { annotations, usage, usageJson } = this.#options.sums
    const delta = annotations.length > 0 ? { annotations } : {}
    await this.#emit([{ index: 0, ...this.#end, delta, finish_reason: this.#endReason() ?? 'stop' }])
    if (usage && usageJson) {
      const chunk = { ...this.#base, choices: [], usage: usageJson }
      const step = readStep(chunk)
      await this.#options.emit({
        text: this.#options.usage ? eventText(chunk) : '',
        events: step ? [{ ...step, usage }] : [],
        done: false,
      })
    }
    await this.#options.emit({ text: DONE_EVENT, events: [], done: true })
  }

  #endReason(): JsonValue | undefined {
    return this.#end?.['finish_reason']
  }

  async #pass(chunk: JsonObject, calls: RoundCalls): Promise<void> {
    const step = readStep(chunk)
    if (!step) return
    this.#base ??= sharedMembers(chunk)
    const [choice] = choicesOf(chunk)
    if (!choice) {
      if (step.sources.length > 0) await this.#emit([], chunk)
      return
    }
    const { delta, finish_reason: reason, ...place } = choice
    if (step.finishReason !== undefined) this.#end = { ...place, finish_reason: reason ?? null }
    const content = this.#contentOf(delta)
    if (isShown(content) || step.sources.length > 0) {
      await this.#separate(step)
      await this.#emit([{ ...place, delta: content, finish_reason: null }], chunk)
    }
    const pieces = calls.read(step.calls)
    if (pieces.length > 0)
      await this.#emit([{ index: 0, delta: { tool_calls: pieces }, finish_reason: null }])
  }

  /** The delta without calls. Only the first chunk of the answer has a role. */
  #contentOf(delta: JsonValue | undefined): JsonObject {
    if (!isJsonObject(delta)) return {}
    const { tool_calls: _, ...content } = delta
    if (this.#rounds === 0) return content
    const { role: __, ...later } = content
    return later
  }

  /** Begins a paragraph with the first text of a later request. */
  async #separate({ text }: ChatStep): Promise<void> {
    if (text === '') return
    if (this.#roundText === '' && this.#hasText)
      await this.#emit([{ index: 0, delta: { content: PARAGRAPH }, finish_reason: null }])
    this.#hasText = true
    this.#roundText += text
  }

  async #emit(choices: JsonObject[], more: JsonObject = {}): Promise<void> {
    const { usage: _, ...others } = more
    const chunk = { ...others, ...this.#base, choices }
    const step = readStep(chunk)
    await this.#options.emit({ text: eventText(chunk), events: step ? [step] : [], done: false })
  }
}

function sharedMembers({ id, object, created, model }: JsonObject): JsonObject {
  const members = { id, object, created, model }
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  )
}

function choicesOf({ choices }: JsonObject): JsonObject[] {
  return Array.isArray(choices) ? choices.filter(isJsonObject) : []
}

function isShown(content: JsonObject): boolean {
  return Object.values(content).some((value) => value !== null && value !== '')
}

function eventText(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

/** The chunks of whole events, and their comments as text. The answer's reader has validated the events. */
function readEvents(text: string): (JsonObject | string)[] {
  const events: (JsonObject | string)[] = []
  const parser = createParser({
    onEvent: ({ data }) => {
      const value = jsonObject.safeParse(tryParseJson(data)).data
      if (value) events.push(value)
    },
    onComment: (comment) => events.push(`: ${comment}\n\n`),
  })
  parser.feed(text)
  return events
}
