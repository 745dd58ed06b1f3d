import { MAX_CITATIONS, MAX_TOOL_CALLS, type Citation, type ToolCall } from '../../../shared/answer-parts.ts'
import type { ToolStep } from '../../../shared/tool-call.ts'
import type { ChatStep } from '../../gateway/answer/index.ts'
import { AnswerContent, type AnswerDelta } from './answer-content.ts'
import type { AnswerParts } from './answer-draft.ts'

/** Collects an answer that consists of several requests, because the model called tools between them. */
export class AnswerRounds {
  #content = new AnswerContent()
  #earlier: AnswerParts = {}
  /** Length of the text before the current round. */
  #before = 0
  #length = 0
  #roundText = ''
  #text = ''
  /** The place of each round's first call in the list of all calls. */
  readonly #firstCalls: number[] = [0]
  /** The calls that Sotto handled, by their place in that list. */
  readonly #handled = new Map<number, Pick<ToolCall, 'round' | 'at' | 'result'>>()

  /**
   * @param earlier the journal of an answer that ended early, to continue it after its last complete request
   * @param citations of that answer
   */
  constructor(earlier: readonly ToolStep[] = [], citations: readonly Citation[] = []) {
    const toolCalls: ToolCall[] = []
    for (const step of earlier) {
      if (step.index === 0) {
        this.#firstCalls[step.round] = toolCalls.length
        this.#length += step.text?.length ?? 0
        this.#text += step.text ?? ''
      }
      const { callId: id, functionName: name, arguments: args, more } = step
      toolCalls.push({ id, name, arguments: args, ...(more && { more }) })
      this.note(step)
    }
    const length = this.#length
    const sources = citations.filter(({ marks = [] }) => marks.every((mark) => mark <= length))
    if (toolCalls.length > 0) this.#earlier = { toolCalls, citations: sources }
  }

  /** Begins the next request of the answer. */
  beginRound(): void {
    this.#earlier = this.#merged()
    this.#before = this.#length
    this.#roundText = ''
    this.#firstCalls.push(this.#earlier.toolCalls?.length ?? 0)
    this.#content = new AnswerContent()
  }

  add(step: ChatStep): AnswerDelta {
    const delta = this.#content.add(step)
    this.#length += delta.text.length
    this.#roundText += delta.text
    return delta
  }

  /** The text of the rounds that the journal has. */
  get earlierText(): string {
    return this.#text
  }

  /** The text and the calls of the current round. */
  round(): { readonly text: string; readonly calls: readonly ToolCall[] } {
    return { text: this.#roundText, calls: this.#content.parts().toolCalls ?? [] }
  }

  /** Notes a call that Sotto handles, so that the stored answer has its place and its result. */
  note({ round, index, result }: ToolStep): void {
    const place = (this.#firstCalls[round] ?? 0) + index
    const at = this.#handled.get(place)?.at ?? this.#length
    this.#handled.set(place, { round, at, ...(result !== undefined && { result }) })
  }

  /** The parts of all rounds. */
  parts(): AnswerParts {
    const { toolCalls, end, ...rest } = this.#merged()
    // Then this request of the model was fulfilled, so it isn't the reason why the answer ended.
    const isHandled = end === 'tool-calls' && this.#handled.has(this.#firstCalls.at(-1) ?? 0)
    return {
      ...rest,
      ...(end && !isHandled && { end }),
      ...(toolCalls && { toolCalls: toolCalls.map((call, at) => ({ ...call, ...this.#handled.get(at) })) }),
    }
  }

  #merged(): AnswerParts {
    const now = this.#content.parts()
    const shifted = now.citations?.map(({ marks, ...citation }) => ({
      ...citation,
      ...(marks && { marks: marks.map((mark) => mark + this.#before) }),
    }))
    const citations = [...(this.#earlier.citations ?? []), ...(shifted ?? [])].slice(0, MAX_CITATIONS)
    const toolCalls = [...(this.#earlier.toolCalls ?? []), ...(now.toolCalls ?? [])].slice(0, MAX_TOOL_CALLS)
    const unshown = now.unshown ?? this.#earlier.unshown
    return {
      ...(citations.length > 0 && { citations }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(unshown && { unshown }),
      ...(now.end && { end: now.end }),
    }
  }
}
