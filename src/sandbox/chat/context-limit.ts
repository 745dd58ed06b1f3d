import type { SandboxModel } from '../models.ts'
import { json, type Refusal } from '../refusal.ts'
import type { Plan } from './plan.ts'
import type { ChatRequest } from './request.ts'

/** Whether the sandbox refuses what is longer than a model's context. Off by default, as the specification names no such refusal. */
export class ContextLimit {
  enforced = false

  /** In the shape of OpenAI's API, which clients read to shorten a conversation. Undefined if the request fits, or the limit is off. */
  refusal(
    { contextLength }: SandboxModel,
    { max_completion_tokens: completion, max_tokens: most }: ChatRequest,
    { inputTokens }: Plan,
  ): Refusal | undefined {
    const wanted = inputTokens + (completion ?? most ?? 0)
    if (!this.enforced || wanted <= contextLength) return undefined
    const message = `This model's maximum context length is ${String(contextLength)} tokens. However, your request needs ${String(wanted)} tokens.`
    return json(400, {
      error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    })
  }
}
