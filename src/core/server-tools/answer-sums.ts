import { decimalUsd } from '../../shared/money.ts'
import type { Receipt, TokenUsage } from '../../shared/receipt.ts'
import type { JsonObject } from '../../shared/strict-json.ts'
import type { FoundPage } from '../tools/index.ts'

const MOST_PAGES = 50

/** The tokens, the cost and the found pages of an answer that consists of several requests. */
export class AnswerSums {
  #usage: TokenUsage | undefined
  /** Pico-USD; undefined once a request had no stated cost. */
  #cost: bigint | undefined = 0n
  readonly #pages = new Map<string, string | undefined>()

  /** Adds one request, whose answer has ended. */
  add(usage: TokenUsage | undefined, receipt: Receipt | undefined): void {
    if (usage) this.#usage = this.#usage ? summed(this.#usage, usage) : usage
    this.#cost =
      this.#cost === undefined || receipt?.costStated !== true || receipt.cost === undefined
        ? undefined
        : this.#cost + BigInt(receipt.cost)
  }

  addPages(pages: readonly FoundPage[]): void {
    for (const { url, title } of pages) if (this.#pages.size < MOST_PAGES) this.#pages.set(url, title)
  }

  get usage(): TokenUsage | undefined {
    return this.#usage
  }

  /** As `usage` of a chat completion; undefined if no request stated its tokens. */
  get usageJson(): JsonObject | undefined {
    if (!this.#usage) return undefined
    const { prompt, completion, total, cached, reasoning } = this.#usage
    return {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total ?? prompt + completion,
      ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
      ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
      ...(this.#cost !== undefined && { cost: Number(decimalUsd(this.#cost)) }),
    }
  }

  /** As `annotations` of a chat completion. Their range is empty, because no place of the text belongs to a page. */
  get annotations(): JsonObject[] {
    return [...this.#pages].map(([url, title]) => ({
      type: 'url_citation',
      url_citation: { url, title: title ?? url, start_index: 0, end_index: 0 },
    }))
  }
}

function summed(a: TokenUsage, b: TokenUsage): TokenUsage {
  const total = (a.total ?? a.prompt + a.completion) + (b.total ?? b.prompt + b.completion)
  const sum = (name: 'cached' | 'reasoning' | 'media'): Partial<TokenUsage> =>
    a[name] === undefined && b[name] === undefined ? {} : { [name]: (a[name] ?? 0) + (b[name] ?? 0) }
  return {
    prompt: a.prompt + b.prompt,
    completion: a.completion + b.completion,
    total,
    ...sum('cached'),
    ...sum('reasoning'),
    ...sum('media'),
  }
}
