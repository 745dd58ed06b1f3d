import type { SottoError } from '../../../../shared/errors.ts'
import type { JsonObject } from '../../../../shared/strict-json.ts'
import type { TokenUsage } from '../../../../shared/receipt.ts'
import { modelName, type ChatStep } from '../../answer/index.ts'
import type { DialectWriter } from '../answer-writer.ts'
import type { AnswerFacts } from '../dialect.ts'
import { textOf } from '../unwritable.ts'

export interface CompletionWish {
  readonly model: string
  /** Whether a stream ends with an event that has the usage. */
  readonly usage: boolean
}

/** Writes OpenAI's legacy completion from a chat completion. */
export class CompletionWriter implements DialectWriter {
  readonly #wish: CompletionWish
  readonly #facts: AnswerFacts
  readonly #write: (text: string) => void
  #model: string | undefined
  #finishReason: string | undefined
  #usage: TokenUsage | undefined

  constructor(wish: CompletionWish, facts: AnswerFacts, write: (text: string) => void) {
    this.#wish = wish
    this.#facts = facts
    this.#write = write
  }

  whole(step: ChatStep): JsonObject {
    this.#model = step.model
    return {
      ...this.#completion([choice(textOf(step), finishOf(step.finishReason))]),
      ...(step.usage && { usage: usageOf(step.usage) }),
    }
  }

  step(step: ChatStep): void {
    this.#model ??= step.model
    this.#finishReason = step.finishReason ?? this.#finishReason
    this.#usage = step.usage ?? this.#usage
    const text = textOf(step)
    if (text !== '') this.#event(this.#completion([choice(text, null)]))
  }

  waiting(): void {
    this.#write(': waiting\n\n')
  }

  finish(): void {
    this.#event(this.#completion([choice('', finishOf(this.#finishReason))]))
    if (this.#wish.usage && this.#usage) this.#event({ ...this.#completion([]), usage: usageOf(this.#usage) })
    this.#write('data: [DONE]\n\n')
  }

  fail(failure: SottoError): void {
    this.#event({
      error: {
        message: failure.message,
        type: failure.type,
        code: failure.codeForTools,
        param: failure.details.param ?? null,
      },
    })
  }

  #completion(choices: JsonObject[]): JsonObject {
    return {
      id: `cmpl-${this.#facts.id}`,
      object: 'text_completion',
      created: this.#facts.createdAt,
      model: modelName(this.#wish.model, this.#model),
      choices,
    }
  }

  #event(event: JsonObject): void {
    this.#write(`data: ${JSON.stringify(event)}\n\n`)
  }
}

function choice(text: string, finishReason: string | null): JsonObject {
  return { index: 0, text, logprobs: null, finish_reason: finishReason }
}

/** Maps the reason to one that legacy completions have. */
function finishOf(reason: string | undefined): string {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop'
}

function usageOf({ prompt, completion, total }: TokenUsage): JsonObject {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total ?? prompt + completion }
}
