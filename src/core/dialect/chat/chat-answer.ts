import { z } from 'zod'
import { SottoError } from '../../../shared/errors.ts'
import { say } from '../../../shared/say.ts'

const count = z.int().min(0)

const usageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
}).transform((usage) => ({
  prompt: usage.prompt_tokens,
  completion: usage.completion_tokens,
  cached: Math.min(usage.prompt_tokens_details?.cached_tokens ?? 0, usage.prompt_tokens),
  reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
}))

/** Token counts. `prompt` includes `cached`; `completion` includes `reasoning`. */
export type ChatUsage = z.infer<typeof usageSchema>

const callSchema = z.looseObject({
  index: count.nullish(),
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
export type CallDelta = z.infer<typeof callSchema>

const deltaSchema = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(callSchema).max(1000).nullish(),
})
export type ChatDelta = z.infer<typeof deltaSchema>

const endSchema = {
  finish_reason: z.string().nullish(),
  /** Some servers say here which stop sequence ended the answer. */
  stop_reason: z.unknown().optional(),
  /** And some, that they failed in the middle of it. */
  error: z.unknown().optional(),
}

const common = { model: z.string().nullish(), usage: usageSchema.nullish().catch(null), error: z.unknown().optional() }
const chunkSchema = z.looseObject({ ...common, choices: z.array(z.looseObject({ ...endSchema, index: count.nullish(), delta: deltaSchema.nullish() })).nullish() })
const completionSchema = z.looseObject({ ...common, choices: z.array(z.looseObject({ ...endSchema, index: count.nullish(), message: deltaSchema })).min(1) })

/** One step of an answer; of a whole one, the only one. */
export interface ChatStep {
  readonly model: string | undefined
  readonly delta: ChatDelta
  readonly finishReason: string | undefined
  readonly stopReason: unknown
  readonly usage: ChatUsage | undefined
}

/** A `chat.completion.chunk`; undefined for an event that is something else. Throws service/response-invalid, service/failed. */
export function readChunk(value: unknown): ChatStep | undefined {
  const parsed = chunkSchema.safeParse(value)
  if (!parsed.success) {
    const isChunk = typeof value === 'object' && value !== null && 'choices' in value
    if (isChunk) throw new SottoError('service/response-invalid', { detail: say('Part of the stream isn’t a chat completion.'), cause: parsed.error })
    return undefined
  }
  refuseError(parsed.data.error)
  const { model, usage, choices } = parsed.data
  // One choice is all that is ever asked for.
  const choice = choices?.find(({ index }) => (index ?? 0) === 0)
  if (!choice && !usage) return undefined
  refuseFailed(choice)
  return stepOf(model, usage, choice?.delta ?? {}, choice)
}

/** A `chat.completion`. Throws service/response-invalid, service/failed. */
export function readCompletion(value: unknown): ChatStep {
  const parsed = completionSchema.safeParse(value)
  const choice = parsed.data?.choices.find(({ index }) => (index ?? 0) === 0)
  if (!parsed.success || !choice) {
    if (typeof value === 'object' && value !== null && 'error' in value) refuseError(value.error)
    throw new SottoError('service/response-invalid', { detail: say('The response isn’t a chat completion.'), cause: parsed.error })
  }
  refuseError(parsed.data.error)
  refuseFailed(choice)
  // In a whole answer each call stands for itself.
  const calls = choice.message.tool_calls?.map((call, index) => ({ ...call, index }))
  return stepOf(parsed.data.model, parsed.data.usage, { ...choice.message, ...(calls && { tool_calls: calls }) }, choice)
}

function stepOf(model: string | null | undefined, usage: ChatUsage | null | undefined, delta: ChatDelta, end: { finish_reason?: string | null | undefined; stop_reason?: unknown } | undefined): ChatStep {
  return { model: model ?? undefined, delta, finishReason: end?.finish_reason ?? undefined, stopReason: end?.stop_reason, usage: usage ?? undefined }
}

/** An answer that broke off is no answer, whatever came of it before. */
function refuseFailed(choice: { finish_reason?: string | null | undefined; error?: unknown } | undefined): void {
  refuseError(choice?.error)
  if (choice?.finish_reason === 'error') refuseError(choice.finish_reason)
}

/** Some servers tell a failure inside a 200. Its text is theirs, and is not passed on as ours. */
function refuseError(error: unknown): void {
  if (error !== undefined && error !== null) throw new SottoError('service/failed', { detail: say('The error was inside its response.') })
}
