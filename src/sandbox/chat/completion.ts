import type { Burst } from './generate.ts'
import type { Plan, PlannedCall } from './plan.ts'

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

function usageOf(plan: Plan): Usage {
  return {
    prompt_tokens: plan.inputTokens,
    completion_tokens: plan.tokens.length,
    total_tokens: plan.inputTokens + plan.tokens.length,
    ...plan.reported,
  }
}

/** OpenAI's `chat.completion`, once everything is generated. */
export async function generatedJson(plan: Plan, bursts: AsyncIterable<Burst>): Promise<string> {
  for await (const _ of bursts);
  return completionJson(plan)
}

/** OpenAI's `chat.completion`. */
export function completionJson(plan: Plan): string {
  const message = plan.calls
    ? {
        role: 'assistant',
        content: null,
        tool_calls: plan.calls.map((call) => callOf(call, plan.tokens.slice(call.start, call.end).join(''))),
      }
    : {
        role: 'assistant',
        content: plan.text,
        refusal: null,
        ...(plan.annotations.length > 0 && { annotations: plan.annotations }),
      }
  return JSON.stringify({
    id: plan.id,
    object: 'chat.completion',
    created: plan.created,
    model: plan.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: plan.finishReason }],
    usage: usageOf(plan),
  })
}

function callOf({ id, name }: PlannedCall, json: string): object {
  return { id, type: 'function', function: { name, arguments: json } }
}

/** Keeps the connection alive while there is no content; a reader must ignore comments anywhere. */
const sandboxComment = ': SANDBOX PROCESSING\n\n'

interface EventOptions {
  readonly includeUsage: boolean
  /** The comment that keeps the connection alive; the sandbox's own if missing. */
  readonly keepAlive?: string | undefined
  /** Written ahead of the first event that isn't a comment. */
  readonly beforeData?: readonly string[] | undefined
}

/** OpenAI's `chat.completion.chunk` events, ending with `[DONE]`. */
export async function* completionEvents(
  plan: Plan,
  bursts: AsyncIterable<Burst>,
  { includeUsage, keepAlive = sandboxComment, beforeData = [] }: EventOptions,
): AsyncGenerator<string> {
  const event = (choices: readonly object[], usage?: Usage | null) =>
    `data: ${JSON.stringify({
      id: plan.id,
      object: 'chat.completion.chunk',
      created: plan.created,
      model: plan.model,
      choices,
      ...(usage !== undefined && { usage }),
    })}\n\n`
  const noUsageYet = includeUsage ? null : undefined
  const choice = (delta: object, finishReason: string | null = null) =>
    event([{ index: 0, delta, logprobs: null, finish_reason: finishReason }], noUsageYet)

  let begun = -1
  for await (const burst of bursts) {
    if (burst.kind === 'waiting') {
      yield keepAlive
      continue
    }
    if (begun < 0) yield* beforeData
    if (begun < burst.call) yield choice(firstDelta(plan, (begun = burst.call)))
    yield choice(
      plan.calls
        ? { tool_calls: [{ index: burst.call, function: { arguments: burst.text } }] }
        : { content: burst.text },
    )
  }
  if (begun < 0) {
    yield* beforeData
    yield choice(firstDelta(plan, 0))
  }
  if (plan.annotations.length > 0) yield choice({ annotations: plan.annotations })
  yield choice({}, plan.finishReason)
  if (includeUsage) yield event([], usageOf(plan))
  yield 'data: [DONE]\n\n'
}

/** An error as gateways write it into an answer whose status was 200 already. */
export const upstreamError = {
  error: { message: 'The upstream provider failed.', type: 'upstream_error', code: 'upstream_failed' },
} as const

/** The first two pieces of an answer, and an error in place of the rest. */
export async function* brokenOff(
  ...[plan, bursts, options]: Parameters<typeof completionEvents>
): AsyncGenerator<string> {
  let left = 2
  for await (const piece of completionEvents(plan, bursts, options)) {
    if (piece.startsWith('data: ') && left-- === 0) break
    yield piece
  }
  yield `data: ${JSON.stringify(upstreamError)}\n\n`
}

/** @param call the first one begins the message as well */
function firstDelta(plan: Plan, call: number): object {
  const planned = plan.calls?.[call]
  return {
    ...(call === 0 && { role: 'assistant', content: planned ? null : '' }),
    ...(planned && { tool_calls: [{ index: call, ...callOf(planned, '') }] }),
  }
}

/**
 * The answer of something in an enclave's place: it couldn't read the question, and answers as if it had.
 * @param model as the answer names it
 * @param now Unix ms
 */
export function plaintextAnswer(model: string, now: number): object {
  return {
    id: 'chatcmpl-in-the-open',
    object: 'chat.completion',
    created: Math.floor(now / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'This reply was not encrypted. Anyone could have written it.',
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 14, total_tokens: 15 },
  }
}

/**
 * Members that the sandbox's answers report in addition to the token counts. Off by default, because the
 * specification has none of them.
 */
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

/** Members of `usage` in addition to the counts. @param price 10^-12 USD */
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
