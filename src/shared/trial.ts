import { z } from 'zod'
import { privacyWords } from './privacy.ts'
import { receiptSchema } from './receipt.ts'

/** The interfaces of the proxy for conversations: OpenAI's two, and Anthropic's. */
export const dialects = ['chat', 'responses', 'messages'] as const
export type Dialect = (typeof dialects)[number]

export const dialectPaths: Readonly<Record<Dialect, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
}

/** The question of a trial, and the limit of its answer in tokens: enough to see that it works. */
export const TRIAL_QUESTION = 'Say hello in one short sentence.'
export const TRIAL_TOKENS = 64

/** The response of the proxy to one small request that was sent like a tool's. A refusal is a response. */
export const trialSchema = z.object({
  /** The HTTP status. */
  status: z.int(),
  /** `X-Sotto-Privacy`; absent if the request failed before. */
  privacy: z.enum(privacyWords).optional(),
  /** The beginning of the model's answer. */
  text: z.string().optional(),
  error: z.object({ code: z.string().optional(), message: z.string() }).optional(),
  receipt: receiptSchema.optional(),
  durationMs: z.number(),
})
export type Trial = z.infer<typeof trialSchema>
