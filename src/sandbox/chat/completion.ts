import type { Burst } from './generate.ts'
import type { Plan } from './plan.ts'

export interface Usage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
}

export function usageOf(plan: Plan): Usage {
  return { prompt_tokens: plan.inputTokens, completion_tokens: plan.tokens.length, total_tokens: plan.inputTokens + plan.tokens.length }
}

/** OpenAI's `chat.completion`, once everything is generated. */
export async function generatedJson(plan: Plan, bursts: AsyncIterable<Burst>): Promise<string> {
  let text = ''
  for await (const burst of bursts) if (burst.kind === 'tokens') text += burst.text
  return completionJson(plan, text)
}

/** OpenAI's `chat.completion`. @param text the whole of it, or the arguments of the call */
export function completionJson(plan: Plan, text: string): string {
  const message = plan.call
    ? { role: 'assistant', content: null, tool_calls: [{ id: plan.call.id, type: 'function', function: { name: plan.call.name, arguments: text } }] }
    : { role: 'assistant', content: text, refusal: null }
  return JSON.stringify({
    id: plan.id,
    object: 'chat.completion',
    created: plan.created,
    model: plan.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: plan.finishReason }],
    usage: usageOf(plan),
  })
}

/** Keeps the connection alive while there is nothing to say; a reader must pass over comments anywhere. */
const comment = ': SANDBOX PROCESSING\n\n'

/** OpenAI's `chat.completion.chunk` events, ending with `[DONE]`. */
export async function* completionEvents(plan: Plan, bursts: AsyncIterable<Burst>, includeUsage: boolean): AsyncGenerator<string> {
  const event = (choices: readonly object[], usage?: Usage | null) => `data: ${JSON.stringify({
    id: plan.id, object: 'chat.completion.chunk', created: plan.created, model: plan.model, choices, ...(usage !== undefined && { usage }),
  })}\n\n`
  const noUsageYet = includeUsage ? null : undefined
  const choice = (delta: object, finishReason: string | null = null) => event([{ index: 0, delta, logprobs: null, finish_reason: finishReason }], noUsageYet)

  let begun = false
  for await (const burst of bursts) {
    if (burst.kind === 'waiting') {
      yield comment
      continue
    }
    if (!begun) yield choice(firstDelta(plan))
    begun = true
    yield choice(plan.call ? { tool_calls: [{ index: 0, function: { arguments: burst.text } }] } : { content: burst.text })
  }
  if (!begun) yield choice(firstDelta(plan))
  yield choice({}, plan.finishReason)
  if (includeUsage) yield event([], usageOf(plan))
  yield 'data: [DONE]\n\n'
}

function firstDelta(plan: Plan): object {
  return plan.call
    ? { role: 'assistant', content: null, tool_calls: [{ index: 0, id: plan.call.id, type: 'function', function: { name: plan.call.name, arguments: '' } }] }
    : { role: 'assistant', content: '' }
}
