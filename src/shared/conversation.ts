import { z } from 'zod'
import { privacyWords } from './privacy.ts'

export const messageStates = ['streaming', 'complete', 'interrupted', 'cancelled', 'failed'] as const

export const messageSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  role: z.enum(['user', 'assistant', 'system']),
  text: z.string(),
  reasoning: z.string().optional(),
  state: z.enum(messageStates),
  model: z.string().optional(),
  privacy: z.enum(privacyWords).optional(),
  receiptId: z.string().optional(),
  errorCode: z.string().optional(),
  createdAt: z.number(),
})
export type Message = z.infer<typeof messageSchema>

export const conversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** A private conversation is never continued with a model that the service can read. */
  private: z.boolean(),
  model: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
})
export type Conversation = z.infer<typeof conversationSchema>
