import { MAX_CITATIONS, MAX_TOOL_CALLS, type ToolCall } from '../../../shared/answer-parts.ts'
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
  /** The place of each round's first call in the list of all calls. */
  readonly #firstCalls: number[] = [0]
  readonly #results = new Map<number, string>()

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

  /** The text and the calls of the current round. */
  round(): { readonly text: string; readonly calls: readonly ToolCall[] } {
    return { text: this.#roundText, calls: this.#content.parts().toolCalls ?? [] }
  }

  /** Notes the result of a call, so that the stored answer has it. */
  note({ round, index, result }: ToolStep): void {
    if (result !== undefined) this.#results.set((this.#firstCalls[round] ?? 0) + index, result)
  }

  /** The parts of all rounds. */
  parts(): AnswerParts {
    const { toolCalls, ...rest } = this.#merged()
    return {
      ...rest,
      ...(toolCalls && {
        toolCalls: toolCalls.map((call, at) => {
          const result = this.#results.get(at)
          return result === undefined ? call : { ...call, result }
        }),
      }),
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
