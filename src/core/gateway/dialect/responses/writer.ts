import type { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import type { TokenUsage } from '../../../../shared/receipt.ts'
import type { DialectWriter } from '../answer-writer.ts'
import { type CallEvent, CallReader, type ChatStep, modelName, ReasoningReader } from '../../answer/index.ts'
import { eventText, type AnswerFacts } from '../dialect.ts'
import { namedParts, NamedSources } from '../unwritable.ts'
import { itemJson, partJson, type OutputItem } from './output-item.ts'
import type { ToolNames } from './tool-names.ts'

export interface ResponseWish {
  readonly model: string
  /** Members of the request that the answer repeats. */
  readonly echo: JsonObject
  readonly names: ToolNames
  /** Whether reasoning is also written as a token that the caller sends back. */
  readonly reasoningToken: boolean
}

type Prose = Exclude<OutputItem, { kind: 'call' }>

const eventNames = {
  text: { delta: 'response.output_text.delta', done: 'response.output_text.done', member: 'text' },
  refusal: { delta: 'response.refusal.delta', done: 'response.refusal.done', member: 'refusal' },
  reasoning: { delta: 'response.reasoning_text.delta', done: 'response.reasoning_text.done', member: 'text' },
} as const

/**
 * Writes a Response from a chat completion. The event that ends an item repeats all of it, so its text is
 * stored until then.
 */
export class ResponseWriter implements DialectWriter {
  readonly #wish: ResponseWish
  readonly #facts: AnswerFacts
  readonly #write: (text: string) => void
  readonly #calls: CallReader
  readonly #reasoning = new ReasoningReader()
  readonly #items: OutputItem[] = []
  readonly #sources = new NamedSources()
  readonly #openCalls = new Map<number, OutputItem>()
  #prose: Prose | null = null
  #sequence = 0
  #begun = false
  #model: string | undefined
  #finishReason: string | undefined
  #usage: TokenUsage | undefined
  readonly #onResponse: ((response: JsonObject) => void) | undefined

  /** @param onResponse called with the Response when it begins and when it ends */
  constructor(
    wish: ResponseWish,
    facts: AnswerFacts,
    write: (text: string) => void,
    onResponse?: (response: JsonObject) => void,
  ) {
    this.#onResponse = onResponse
    this.#wish = wish
    this.#facts = facts
    this.#write = write
    this.#calls = new CallReader((call) => `call_${facts.id}_${call}`)
  }

  whole(step: ChatStep): JsonObject {
    this.step(step)
    return this.finish()
  }

  step({ model, text, refusal, reasoning, calls, parts, sources, finishReason, usage }: ChatStep): void {
    this.#model ??= model
    this.#begin()
    this.#say('reasoning', this.#reasoning.read(reasoning))
    this.#say('text', text)
    this.#say('text', namedParts(parts))
    this.#say('refusal', refusal)
    for (const event of this.#calls.read(calls)) this.#call(event)
    this.#sources.add(sources)
    this.#finishReason = finishReason ?? this.#finishReason
    this.#usage = usage ?? this.#usage
  }

  waiting(): void {
    this.#write(': waiting\n\n')
  }

  finish(): JsonObject {
    this.#begin()
    this.#calls.end()
    if (this.#prose?.kind !== 'text') this.#say('text', this.#sources.text.trim())
    const limit =
      this.#finishReason === 'length'
        ? 'max_output_tokens'
        : this.#finishReason === 'content_filter'
          ? 'content_filter'
          : null
    this.#endProse(limit !== null)
    for (const item of this.#openCalls.values())
      this.#endItem(item, limit !== null && isLast(item, this.#items))
    const status = limit ? 'incomplete' : 'completed'
    const response = { ...this.#response(status), ...(limit && { incomplete_details: { reason: limit } }) }
    this.#event(`response.${status}`, { response })
    this.#onResponse?.(response)
    return response
  }

  fail(failure: SottoError): void {
    this.#begin()
    const error = {
      code: failure.codeForTools,
      message: failure.message,
      param: failure.details.param ?? null,
    }
    this.#event('error', error)
    // A request that its caller canceled has the output so far.
    const response = {
      ...this.#response(failure.code === 'request/canceled' ? 'cancelled' : 'failed'),
      error: { code: failure.codeForTools, message: failure.message },
    }
    this.#event('response.failed', { response })
    this.#onResponse?.(response)
  }

  #begin(): void {
    if (this.#begun) return
    this.#begun = true
    const response = this.#response('in_progress')
    this.#event('response.created', { response })
    this.#event('response.in_progress', { response })
    this.#onResponse?.(response)
  }

  #say(kind: Prose['kind'], text: string): void {
    if (text === '') return
    if (this.#prose?.kind !== kind) {
      this.#endProse(false)
      this.#prose = this.#openProse(kind)
    }
    const item = this.#prose
    item.text += text
    this.#event(eventNames[kind].delta, {
      item_id: item.id,
      output_index: item.at,
      content_index: 0,
      delta: text,
      ...(kind === 'text' && { logprobs: [] }),
    })
  }

  #openProse(kind: Prose['kind']): Prose {
    const at = this.#items.length
    const item: Prose =
      kind === 'reasoning'
        ? {
            kind,
            id: `rs_${this.#facts.id}_${at}`,
            at,
            text: '',
            token: this.#wish.reasoningToken ? this.#reasoning.member : null,
          }
        : { kind, id: `msg_${this.#facts.id}_${at}`, at, text: '', annotations: [] }
    this.#addItem(item)
    this.#event('response.content_part.added', {
      item_id: item.id,
      output_index: at,
      content_index: 0,
      part: partJson(item, ''),
    })
    return item
  }

  #call(event: CallEvent): void {
    if (event.kind === 'begin') {
      this.#endProse(false)
      const at = this.#items.length
      const item: OutputItem = {
        kind: 'call',
        id: `fc_${this.#facts.id}_${at}`,
        at,
        text: '',
        callId: event.id,
        tool: this.#wish.names.original(event.name),
      }
      this.#openCalls.set(event.call, item)
      this.#addItem(item)
      return
    }
    const item = this.#openCalls.get(event.call)
    if (!item) return
    item.text += event.text
    this.#event('response.function_call_arguments.delta', {
      item_id: item.id,
      output_index: item.at,
      delta: event.text,
    })
  }

  #addItem(item: OutputItem): void {
    this.#items.push(item)
    this.#event('response.output_item.added', { output_index: item.at, item: itemJson(item, 'in_progress') })
  }

  #endProse(cutOff: boolean): void {
    if (this.#prose) this.#endItem(this.#prose, cutOff)
    this.#prose = null
  }

  #endItem(item: OutputItem, cutOff: boolean): void {
    const place = { item_id: item.id, output_index: item.at }
    // Some servers send nothing if there are no arguments. Callers parse this text as JSON.
    if (item.kind === 'call' && item.text.trim() === '' && !cutOff) {
      item.text += '{}'
      this.#event('response.function_call_arguments.delta', { ...place, delta: '{}' })
    }
    if (item.kind === 'call')
      this.#event('response.function_call_arguments.done', {
        ...place,
        name: item.tool.name,
        arguments: item.text,
      })
    else {
      if (item.kind === 'text') this.#annotate(item)
      const { done, member } = eventNames[item.kind]
      this.#event(done, {
        ...place,
        content_index: 0,
        [member]: item.text,
        ...(item.kind === 'text' && { logprobs: [] }),
      })
      this.#event('response.content_part.done', { ...place, content_index: 0, part: partJson(item) })
    }
    this.#event('response.output_item.done', {
      output_index: item.at,
      item: itemJson(item, cutOff ? 'incomplete' : 'completed'),
    })
  }

  /** Sources that arrived before the end of a text become its annotations. */
  #annotate(item: Extract<OutputItem, { kind: 'text' }>): void {
    const at = item.text.length
    item.annotations = this.#sources.list.map(({ url, title }) => ({
      type: 'url_citation',
      url,
      title,
      start_index: at,
      end_index: at,
    }))
    this.#sources.clear()
    for (const [index, annotation] of item.annotations.entries()) {
      this.#event('response.output_text.annotation.added', {
        item_id: item.id,
        output_index: item.at,
        content_index: 0,
        annotation_index: index,
        annotation,
      })
    }
  }

  #response(status: 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'): JsonObject {
    const ended = status === 'completed' || status === 'incomplete' || status === 'cancelled'
    return {
      id: responseId(this.#facts),
      object: 'response',
      created_at: this.#facts.createdAt,
      status,
      error: null,
      incomplete_details: null,
      model: modelName(this.#wish.model, this.#model),
      ...this.#wish.echo,
      output: ended
        ? this.#items.map((item) =>
            itemJson(item, status !== 'completed' && isLast(item, this.#items) ? 'incomplete' : 'completed'),
          )
        : [],
      usage: ended && this.#usage ? usageJson(this.#usage) : null,
    }
  }

  #event(type: string, event: object): void {
    this.#write(eventText(type, { type, sequence_number: this.#sequence++, ...event }))
  }
}

/** Returns the ID of the response to a request. */
export function responseId({ id }: Pick<AnswerFacts, 'id'>): string {
  return `resp_${id}`
}

function isLast(item: OutputItem, items: readonly OutputItem[]): boolean {
  return item.at === items.length - 1
}

function usageJson({ prompt, cached = 0, completion, reasoning = 0, total = 0 }: TokenUsage): JsonObject {
  return {
    input_tokens: prompt,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: completion,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: Math.max(prompt + completion, total),
  }
}
