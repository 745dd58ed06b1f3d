import { MAX_UNSHOWN_PARTS, type AnswerEnd, type UnshownPart } from '../../../shared/answer-parts.ts'
import { ReasoningReader, type AnswerPart, type ChatStep } from '../../gateway/answer/index.ts'
import type { AnswerParts } from './answer-draft.ts'
import { Citations } from './citations.ts'
import { ToolCalls } from './tool-calls.ts'

const ends: Readonly<Record<string, AnswerEnd>> = {
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filtered',
}

export interface AnswerDelta {
  readonly text: string
  readonly reasoning: string
  /** The names of the tool calls that began. */
  readonly tools: readonly string[]
}

/**
 * Collects the steps of an answer in the form in which the window stores them. The service controls every
 * byte, so the content is only ever treated as text.
 */
export class AnswerContent {
  readonly #reasoning = new ReasoningReader()
  readonly #citations = new Citations()
  readonly #calls = new ToolCalls()
  readonly #unshown = new Map<string, UnshownPart>()
  #length = 0
  #end: AnswerEnd | undefined

  /** @returns what the step adds */
  add(step: ChatStep): AnswerDelta {
    this.#citations.add(step.sources)
    for (const part of step.parts) this.#note(part)
    this.#end = step.refusal === '' ? (ends[step.finishReason ?? ''] ?? this.#end) : 'refused'
    const text = step.text + step.refusal
    this.#length += text.length
    return { text, reasoning: this.#reasoning.read(step.reasoning), tools: this.#calls.add(step.calls) }
  }

  /** The parts of the answer other than its text, so far. */
  parts(): AnswerParts {
    const citations = this.#citations.list(this.#length)
    const toolCalls = this.#calls.list()
    const unshown = [...this.#unshown.values()]
    return {
      ...(citations && { citations }),
      ...(toolCalls && { toolCalls }),
      ...(unshown.length > 0 && { unshown }),
      ...(this.#end && { end: this.#end }),
    }
  }

  #note({ type, url }: AnswerPart): void {
    const mediaType = /^data:([\w.+-]{1,40}\/[\w.+-]{1,40})[;,]/.exec(url ?? '')?.[1]
    const key = mediaType ?? type
    const known = this.#unshown.get(key)
    if (!known && this.#unshown.size >= MAX_UNSHOWN_PARTS) return
    this.#unshown.set(key, { type: key, count: (known?.count ?? 0) + 1 })
  }
}
