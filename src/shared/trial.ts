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

/** What a trial asks, and the most that it may be answered with, in tokens: enough to see that it works. */
export const TRIAL_QUESTION = 'Say hello in one short sentence.'
export const TRIAL_TOKENS = 64

/** What the proxy answered to one small request that was sent as a tool would send it. A refusal is an answer. */
export const trialSchema = z.object({
  /** Of HTTP. */
  status: z.int(),
  /** `X-Sotto-Privacy`; absent where the request did not come as far. */
  privacy: z.enum(privacyWords).optional(),
  /** The beginning of what the model said. */
  text: z.string().optional(),
  error: z.object({ code: z.string().optional(), message: z.string() }).optional(),
  receipt: receiptSchema.optional(),
  durationMs: z.number(),
})
export type Trial = z.infer<typeof trialSchema>
