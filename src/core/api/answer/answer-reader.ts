import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import type { AnswerEnd } from '../../../shared/answer-parts.ts'
import { SottoError } from '../../../shared/errors.ts'
import { ReasoningReader } from '../../dialect/chat/reasoning.ts'
import type { AnswerParts } from './answer-draft.ts'
import { CitationReader } from './citation-reader.ts'
import { ToolCallReader } from './tool-call-reader.ts'

const text = z.string().nullish().catch(null)
const messageSchema = z.looseObject({ content: text, reasoning: text, reasoning_content: text, tool_calls: z.unknown().optional(), annotations: z.unknown().optional(), citations: z.unknown().optional() })
const chunkSchema = z.looseObject({
  choices: z.array(z.looseObject({ delta: messageSchema.nullish().catch(null), message: messageSchema.nullish().catch(null), finish_reason: text })).nullish().catch(null),
  citations: z.unknown().optional(),
  search_results: z.unknown().optional(),
})

const ends: Readonly<Record<string, AnswerEnd>> = { length: 'length', max_tokens: 'length', tool_calls: 'tool-calls', function_call: 'tool-calls', content_filter: 'filtered' }

export interface AnswerDelta {
  readonly text: string
  readonly reasoning: string
  /** Of the calls of tools that began. */
  readonly tools: readonly string[]
}

const nothing: AnswerDelta = { text: '', reasoning: '', tools: [] }

/**
 * Reads a chat completion as the window keeps it, streamed or whole. Whoever answers controls every byte: what is not of
 * the known form is left out, and no text of it is ever anything but text.
 */
export class AnswerReader {
  readonly #utf8 = new TextDecoder()
  readonly #reasoning = new ReasoningReader()
  readonly #citations = new CitationReader()
  readonly #calls = new ToolCallReader()
  readonly #whole: string[] | undefined
  readonly #parser = createParser({ onEvent: ({ data }) => this.#event(data) })
  #delta: AnswerDelta = nothing
  #length = 0
  #end: AnswerEnd | undefined

  constructor(contentType: 'application/json' | 'text/event-stream') {
    this.#whole = contentType === 'application/json' ? [] : undefined
  }

  /** What these bytes complete. Throws service/response-invalid. */
  read(bytes: Uint8Array): AnswerDelta {
    const piece = this.#utf8.decode(bytes, { stream: true })
    if (this.#whole) this.#whole.push(piece)
    else this.#parser.feed(piece)
    return this.#taken()
  }

  /** What is left once all bytes came. Throws service/response-invalid. */
  end(): AnswerDelta {
    if (this.#whole) this.#take(parsed(this.#whole.join('')))
    return this.#taken()
  }

  /** As far as the answer came; what there is none of is absent. */
  parts(): AnswerParts {
    const citations = this.#citations.citations(this.#length)
    const toolCalls = this.#calls.toolCalls()
    return { ...(citations && { citations }), ...(toolCalls && { toolCalls }), ...(this.#end && { end: this.#end }) }
  }

  #taken(): AnswerDelta {
    const delta = this.#delta
    this.#delta = nothing
    return delta
  }

  #event(data: string): void {
    if (data !== '[DONE]') this.#take(parsed(data))
  }

  #take(value: unknown): void {
    const chunk = chunkSchema.safeParse(value).data
    if (!chunk) return
    // One choice is all that is ever asked for.
    const choice = chunk.choices?.[0]
    const message = choice?.delta ?? choice?.message
    this.#citations.read(chunk.citations)
    this.#citations.read(chunk.search_results)
    this.#end = ends[choice?.finish_reason ?? ''] ?? this.#end
    if (!message) return
    this.#citations.read(message.annotations)
    this.#citations.read(message.citations)
    const said = message.content ?? ''
    this.#length += said.length
    this.#delta = {
      text: this.#delta.text + said,
      reasoning: this.#delta.reasoning + this.#reasoning.read(message),
      tools: [...this.#delta.tools, ...this.#calls.read(message.tool_calls)],
    }
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new SottoError('service/response-invalid', { cause })
  }
}
