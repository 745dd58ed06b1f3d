/** What the sandbox's answers report besides the counts of tokens. Off by default, as the specification shows none of it. */
export interface UsageReport {
  /** `usage.cost`, in dollars. */
  readonly cost: boolean
  /** Tokens of the prompt that came from a cache, and of the completion that were reasoning: at most so many. */
  readonly cached: number
  readonly reasoning: number
}

/** The report that is switched on now. */
export class UsageReports {
  current: UsageReport = { cost: false, cached: 0, reasoning: 0 }
}

/** Members of `usage` beside the counts. @param price 10^-12 USD */
export function reported(
  { cost, cached, reasoning }: UsageReport,
  {
    prompt,
    completion,
    price,
  }: { readonly prompt: number; readonly completion: number; readonly price: bigint },
): object {
  return {
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: Math.min(cached, prompt) } }),
    ...(reasoning > 0 && {
      completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
    }),
    ...(cost && { cost: Number(price) / 1e12 }),
  }
}
