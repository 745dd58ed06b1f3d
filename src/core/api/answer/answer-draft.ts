import type { Citation, ToolCall, AnswerEnd } from '../../../shared/answer-parts.ts'
import type { Message } from '../../../shared/conversation.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import type { Store } from '../../store/index.ts'

/** A killed process loses at most this much of an answer. */
const SAVE_EVERY_MS = 250

/** What there is of an answer beside its text, as far as it came. */
export interface AnswerParts {
  readonly citations?: Citation[]
  readonly toolCalls?: ToolCall[]
  readonly end?: AnswerEnd
}

/** The answer as it grows, saved a few times a second. */
export class AnswerDraft {
  readonly #messages: Store['messages']
  readonly #id: string
  #parts: AnswerParts = {}
  #text = ''
  #reasoning = ''
  #begun = false
  #privacy: Privacy | undefined
  #savedAt = -Infinity

  constructor(messages: Store['messages'], id: string) {
    this.#messages = messages
    this.#id = id
  }

  /** Something came that is worth keeping. */
  get started(): boolean {
    return this.#begun
  }

  append({ text, reasoning }: { text: string; reasoning: string }, parts: AnswerParts): void {
    this.#begun = true
    this.#parts = parts
    this.#text += text
    this.#reasoning += reasoning
    if (performance.now() - this.#savedAt < SAVE_EVERY_MS) return
    this.#savedAt = performance.now()
    this.#messages.update(this.#id, this.#content())
  }

  /** Written with what comes first, so that an answer whose process was killed still says who could read it. */
  went(privacy: Privacy): void {
    this.#privacy = privacy
  }

  /** The last of it, written when it ends. */
  know(parts: AnswerParts): void {
    this.#parts = parts
  }

  end(state: Message['state'], end: { privacy?: Privacy; receiptId?: string; errorCode?: string }): Message {
    return this.#messages.update(this.#id, { ...this.#content(), state, ...end })
  }

  #content(): { text: string; reasoning?: string; privacy?: Privacy } & AnswerParts {
    return { text: this.#text, ...(this.#privacy && { privacy: this.#privacy }), ...(this.#reasoning && { reasoning: this.#reasoning }), ...this.#parts }
  }
}
