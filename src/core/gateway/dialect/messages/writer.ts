import type { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import type { TokenUsage } from '../../../../shared/receipt.ts'
import type { DialectWriter } from '../answer-writer.ts'
import { CallReader, type ChatStep, modelName, ReasoningReader, reasoningToken } from '../../answer/index.ts'
import { eventText, type AnswerFacts } from '../dialect.ts'
import { BlockOrder, type BlockKey } from './block-order.ts'
import { messageEnd, messageUsage } from './end.ts'
import { toAnthropicError } from './error.ts'
import { NamedSources, textOf } from '../unwritable.ts'
import { wholeContent } from './whole.ts'

/** Whether thinking is shown, hidden in a token that the caller sends back, or not requested. */
export type ThinkingDisplay = 'shown' | 'omitted' | 'none'

export interface MessageWish {
  readonly model: string
  readonly thinking: ThinkingDisplay
  readonly stopSequences: readonly string[]
}

const PING = eventText('ping', { type: 'ping' })

/** Writes Anthropic's answer from a chat completion. */
export class MessageWriter implements DialectWriter {
  readonly #wish: MessageWish
  readonly #facts: AnswerFacts
  readonly #write: (text: string) => void
  readonly #calls: CallReader
  readonly #callNames: { id: string; name: string }[] = []
  readonly #reasoning = new ReasoningReader()
  readonly #order: BlockOrder
  readonly #sources = new NamedSources()
  #begun = false
  #block = -1
  /** The thinking of the open block, if it's written as a token. */
  #hidden = ''
  #refused = false
  #finishReason: string | undefined
  #stopReason: unknown
  #usage: TokenUsage | undefined

  constructor(wish: MessageWish, facts: AnswerFacts, write: (text: string) => void) {
    this.#wish = wish
    this.#facts = facts
    this.#write = write
    this.#calls = new CallReader((call) => `toolu_${facts.id}_${call}`)
    this.#order = new BlockOrder({
      open: (key) => this.#openBlock(key),
      piece: (key, text) => this.#piece(key, text),
      close: (key) => this.#closeBlock(key),
    })
  }

  whole(step: ChatStep): JsonObject {
    const content = wholeContent(step, this.#wish.thinking, this.#calls)
    const end = messageEnd(
      { ...step, calls: this.#calls.count > 0, refused: step.refusal !== '' },
      this.#wish.stopSequences,
    )
    return { ...this.#message(step.model), content, ...end, usage: messageUsage(step.usage) }
  }

  step(step: ChatStep): void {
    this.#begin(step.model)
    const reasoning = this.#reasoning.read(step.reasoning)
    if (reasoning !== '') {
      if (this.#wish.thinking !== 'none') this.#order.add('thinking', reasoning)
      // Keeps the connection from seeming dead while nothing is shown.
      if (this.#wish.thinking !== 'shown') this.waiting()
    }
    if (step.refusal !== '') this.#refused = true
    const text = textOf(step)
    if (text !== '') this.#order.add('text', text)
    for (const event of this.#calls.read(step.calls)) {
      if (event.kind === 'begin') this.#callNames[event.call] = event
      this.#order.add(event.call, event.kind === 'begin' ? '' : event.text)
    }
    this.#sources.add(step.sources)
    this.#finishReason = step.finishReason ?? this.#finishReason
    this.#stopReason = step.stopReason ?? this.#stopReason
    this.#usage = step.usage ?? this.#usage
  }

  waiting(): void {
    this.#write(PING)
  }

  finish(): void {
    this.#begin(undefined)
    this.#calls.end()
    if (this.#sources.text !== '') this.#order.add('text', this.#sources.text)
    this.#order.end()
    const delta = messageEnd(
      {
        finishReason: this.#finishReason,
        stopReason: this.#stopReason,
        calls: this.#calls.count > 0,
        refused: this.#refused,
      },
      this.#wish.stopSequences,
    )
    this.#event('message_delta', { delta, usage: messageUsage(this.#usage) })
    this.#event('message_stop', {})
  }

  fail(failure: SottoError): void {
    this.#write(eventText('error', toAnthropicError(failure)))
  }

  #message(model: string | undefined): JsonObject {
    return {
      id: `msg_${this.#facts.id}`,
      type: 'message',
      role: 'assistant',
      model: modelName(this.#wish.model, model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: messageUsage(undefined),
    }
  }

  #begin(model: string | undefined): void {
    if (this.#begun) return
    this.#begun = true
    this.#event('message_start', { message: this.#message(model) })
  }

  #openBlock(key: BlockKey): void {
    this.#hidden = ''
    this.#event('content_block_start', { index: ++this.#block, content_block: this.#emptyBlock(key) })
  }

  #emptyBlock(key: BlockKey): object {
    if (key === 'text') return { type: 'text', text: '' }
    if (key === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
    const { id, name } = this.#callNames[key] ?? { id: '', name: '' }
    return { type: 'tool_use', id, name, input: {} }
  }

  #piece(key: BlockKey, text: string): void {
    if (key === 'text') this.#delta({ type: 'text_delta', text })
    else if (key !== 'thinking') this.#delta({ type: 'input_json_delta', partial_json: text })
    else if (this.#wish.thinking === 'shown') this.#delta({ type: 'thinking_delta', thinking: text })
    else this.#hidden += text
  }

  #closeBlock(key: BlockKey): void {
    if (key === 'thinking')
      this.#delta({
        type: 'signature_delta',
        signature: reasoningToken({ member: this.#reasoning.member, text: this.#hidden }),
      })
    this.#event('content_block_stop', { index: this.#block })
  }

  #delta(delta: object): void {
    this.#event('content_block_delta', { index: this.#block, delta })
  }

  #event(type: string, event: object): void {
    this.#write(eventText(type, { type, ...event }))
  }
}
