import type { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import type { TokenUsage } from '../../../../shared/receipt.ts'
import { CallReader, modelName, ReasoningReader, type ChatStep } from '../../answer/index.ts'
import type { DialectWriter } from '../answer-writer.ts'
import type { AnswerFacts } from '../dialect.ts'
import { NamedSources, textOf } from '../unwritable.ts'
import { WholeCalls } from '../whole-calls.ts'

export interface OllamaWish {
  readonly model: string
  readonly of: 'chat' | 'generate'
  /** Whether thinking is shown. A request can turn it off. */
  readonly thinking: boolean
}

/** Part of a reply. */
interface Part {
  readonly text?: string
  readonly thinking?: string
  readonly calls?: readonly JsonObject[]
}

/** Writes Ollama's answer from a chat completion: one JSON object per line of a stream. */
export class OllamaWriter implements DialectWriter {
  readonly #wish: OllamaWish
  readonly #facts: AnswerFacts
  readonly #write: (text: string) => void
  readonly #reasoning = new ReasoningReader()
  readonly #calls: WholeCalls
  readonly #sources = new NamedSources()
  #model: string | undefined
  #finishReason: string | undefined
  #usage: TokenUsage | undefined
  /** Milliseconds from the request to the first text of the reply. */
  #begunMs: number | undefined

  constructor(wish: OllamaWish, facts: AnswerFacts, write: (text: string) => void) {
    this.#wish = wish
    this.#facts = facts
    this.#write = write
    this.#calls = new WholeCalls(new CallReader((call) => `call_${facts.id}_${call}`))
  }

  whole(step: ChatStep): JsonObject {
    const { text, thinking } = this.#read(step)
    const calls = this.#wholeCalls()
    // In one piece, the time of the first text isn't known, so all of the time counts as the reply's.
    this.#begunMs = 0
    return this.#end({ text: text + this.#sources.text, thinking, calls })
  }

  step(step: ChatStep): void {
    const { text, thinking } = this.#read(step)
    if (text + thinking !== '') this.#line({ text, thinking })
  }

  /** Writes a line without text, so that the connection doesn't seem dead. */
  waiting(): void {
    this.#line({})
  }

  finish(): void {
    const calls = this.#wholeCalls()
    if (calls.length > 0 || this.#sources.text !== '') this.#line({ text: this.#sources.text, calls })
    this.#write(`${JSON.stringify(this.#end({}))}\n`)
  }

  fail(failure: SottoError): void {
    this.#write(`${JSON.stringify(toOllamaError(failure))}\n`)
  }

  #read(step: ChatStep): { text: string; thinking: string } {
    this.#model ??= step.model
    this.#calls.read(step.calls)
    this.#sources.add(step.sources)
    this.#finishReason = step.finishReason ?? this.#finishReason
    this.#usage = step.usage ?? this.#usage
    const [text, reasoning] = [textOf(step), this.#reasoning.read(step.reasoning)]
    if (text + reasoning !== '' || step.calls.length > 0) this.#begunMs ??= this.#facts.elapsedMs()
    return { text, thinking: this.#wish.thinking ? reasoning : '' }
  }

  #wholeCalls(): JsonObject[] {
    return this.#calls
      .end(this.#finishReason === 'length')
      .map(({ id, name, input }, index) => ({ id, function: { index, name, arguments: input } }))
  }

  #line(part: Part): void {
    this.#write(`${JSON.stringify({ ...this.#reply(part), done: false })}\n`)
  }

  #reply({ text = '', thinking = '', calls = [] }: Part): JsonObject {
    const more = { ...(thinking !== '' && { thinking }), ...(calls.length > 0 && { tool_calls: [...calls] }) }
    return {
      model: modelName(this.#wish.model, this.#model),
      created_at: new Date(this.#facts.createdAt * 1000).toISOString(),
      ...(this.#wish.of === 'chat'
        ? { message: { role: 'assistant', content: text, ...more } }
        : { response: text, ...more }),
    }
  }

  #end(part: Part): JsonObject {
    const total = this.#facts.elapsedMs()
    const begun = Math.min(this.#begunMs ?? total, total)
    return {
      ...this.#reply(part),
      done: true,
      done_reason: this.#finishReason === 'length' ? 'length' : 'stop',
      total_duration: nanoseconds(total),
      load_duration: 0,
      ...(this.#usage && { prompt_eval_count: this.#usage.prompt, eval_count: this.#usage.completion }),
      prompt_eval_duration: nanoseconds(begun),
      // Never 0, because callers divide by it.
      eval_duration: Math.max(nanoseconds(total - begun), 1),
    }
  }
}

/** @param ms milliseconds */
export function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6)
}

/**
 * Returns the answer to a request without a prompt, with which callers load or unload a model.
 * @param createdAt Unix seconds
 */
export function loadReply(
  { model, of }: OllamaWish,
  doneReason: 'load' | 'unload',
  createdAt: number,
): JsonObject {
  return {
    model,
    created_at: new Date(createdAt * 1000).toISOString(),
    ...(of === 'chat' ? { message: { role: 'assistant', content: '' } } : { response: '' }),
    done: true,
    done_reason: doneReason,
  }
}

/** Ollama's error shape. Its clients decide by the status and show the text. */
export interface OllamaError {
  readonly error: string
}

/** Builds the body of a refusal, and the last line of a failed stream. */
export function toOllamaError({ message }: SottoError): OllamaError {
  return { error: message }
}
