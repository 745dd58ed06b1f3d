import type { AnswerEnd, Citation, ToolCall, UnshownPart } from '../../../shared/answer-parts.ts'
import type { Message } from '../../../shared/conversation.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import type { LocalizedText } from '../../../shared/localized-text.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { MessagePatch, Store } from '../../storage/index.ts'

/** A killed process loses at most this much of an answer. */
const SAVE_EVERY_MS = 250
/** The delay between attempts to write the end of an answer after the disk failed. */
const END_LATER_MS = 2000

/** The parts of an answer other than its text, as far as they arrived. */
export interface AnswerParts {
  readonly citations?: Citation[]
  readonly toolCalls?: ToolCall[]
  readonly unshown?: UnshownPart[]
  readonly end?: AnswerEnd
}

/** A growing answer, saved a few times a second. */
export class AnswerDraft {
  readonly #messages: Store['messages']
  readonly #id: string
  #parts: AnswerParts = {}
  #text = ''
  #reasoning = ''
  #begun = false
  #privacy: Privacy | undefined
  #savedAt = -Infinity
  /** Saves the last pieces if no more follow soon. */
  #timer: NodeJS.Timeout | undefined

  /** @param answer the stored content of an answer that is continued */
  constructor(messages: Store['messages'], id: string, answer?: Message) {
    this.#messages = messages
    this.#id = id
    if (!answer) return
    const { text, reasoning = '', citations, toolCalls, unshown } = answer
    this.#text = text
    this.#reasoning = reasoning
    this.#begun = text !== '' || toolCalls !== undefined
    this.#parts = {
      ...(citations && { citations }),
      ...(toolCalls && { toolCalls }),
      ...(unshown && { unshown }),
    }
  }

  /** Removes the text of a request that is sent again, because its answer didn't arrive completely. */
  rewind(text: string, parts: AnswerParts): void {
    this.#text = text
    this.#parts = parts
  }

  /** Whether anything arrived that is worth saving. */
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
        // The next or the last save writes it.
      }
    }, SAVE_EVERY_MS - since).unref()
  }

  #save(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#savedAt = performance.now()
    this.#messages.update(this.#id, this.#content())
  }

  /**
   * Saved with the first piece, so that an answer still shows who could read it if the process was killed.
   */
  went(privacy: Privacy): void {
    this.#privacy = privacy
  }

  /** The final parts, written when the answer ends. */
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

  /**
   * Retries while the disk fails. Any other error ends the retries: the next start finds the answer as it
   * was last saved.
   */
  #endLater(last: MessagePatch): void {
    setTimeout(() => {
      try {
        this.#messages.update(this.#id, last)
      } catch (error) {
        if (error instanceof SottoError && error.code === 'store/unwritable') this.#endLater(last)
      }
    }, END_LATER_MS).unref()
  }

  #content(): MessagePatch {
    return {
      text: this.#text,
      ...(this.#privacy && { privacy: this.#privacy }),
      ...(this.#reasoning && { reasoning: this.#reasoning }),
      ...this.#parts,
      // A further request removes the reason why the one before it ended.
      end: this.#parts.end,
    }
  }
}
