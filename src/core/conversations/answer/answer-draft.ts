import type { AnswerEnd, Citation, ToolCall, UnshownPart } from '../../../shared/answer-parts.ts'
import type { Message } from '../../../shared/conversation.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import type { LocalizedText } from '../../../shared/localized-text.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { MessagePatch, Store } from '../../storage/index.ts'

/** A killed process loses at most this much of an answer. */
const SAVE_EVERY_MS = 250
/** So often it is tried to write the end of an answer that the disk did not take. */
const END_LATER_MS = 2000

/** What there is of an answer beside its text, as far as it came. */
export interface AnswerParts {
  readonly citations?: Citation[]
  readonly toolCalls?: ToolCall[]
  readonly unshown?: UnshownPart[]
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
  /** Saves what came since, where nothing follows it soon. */
  #timer: NodeJS.Timeout | undefined

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
    const since = performance.now() - this.#savedAt
    if (since >= SAVE_EVERY_MS) return this.#save()
    this.#timer ??= setTimeout(() => {
      try {
        this.#save()
      } catch {
        // The next save says it, and the last one does.
      }
    }, SAVE_EVERY_MS - since).unref()
  }

  #save(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
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

  end(
    state: Message['state'],
    end: { privacy?: Privacy; receiptId?: string; errorCode?: string; errorDetail?: LocalizedText },
  ): Message {
    clearTimeout(this.#timer)
    const last = { ...this.#content(), state, ...end }
    try {
      return this.#messages.update(this.#id, last)
    } catch (error) {
      this.#endLater(last)
      throw error
    }
  }

  /** Once the disk takes something again. What else is wrong ends it: the next start finds the answer as it was saved last. */
  #endLater(last: MessagePatch): void {
    setTimeout(() => {
      try {
        this.#messages.update(this.#id, last)
      } catch (error) {
        if (error instanceof SottoError && error.code === 'store/unwritable') this.#endLater(last)
      }
    }, END_LATER_MS).unref()
  }

  #content(): { text: string; reasoning?: string; privacy?: Privacy } & AnswerParts {
    return {
      text: this.#text,
      ...(this.#privacy && { privacy: this.#privacy }),
      ...(this.#reasoning && { reasoning: this.#reasoning }),
      ...this.#parts,
    }
  }
}
