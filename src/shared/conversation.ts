import { z } from 'zod'
import {
  answerEnds,
  citationsSchema,
  toolCallsSchema,
  unshownPartsSchema,
  webSearchSchema,
} from './answer-parts.ts'
import { attachmentsSchema } from './attachment.ts'
import { privacyWords } from './privacy.ts'
import { localizedTextSchema } from './localized-text-schema.ts'

export const messageStates = ['streaming', 'complete', 'interrupted', 'cancelled', 'failed'] as const

export const messageSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** What it follows; null at the beginning. Where it is not said, it follows the message that was added before it. */
  parentId: z.string().nullable().optional(),
  role: z.enum(['user', 'assistant', 'system']),
  text: z.string(),
  reasoning: z.string().optional(),
  state: z.enum(messageStates),
  /** Of an answer. */
  citations: citationsSchema.optional(),
  toolCalls: toolCallsSchema.optional(),
  unshown: unshownPartsSchema.optional(),
  end: z.enum(answerEnds).optional(),
  /** Of a question. */
  webSearch: webSearchSchema.optional(),
  model: z.string().optional(),
  privacy: z.enum(privacyWords).optional(),
  receiptId: z.string().optional(),
  errorCode: z.string().optional(),
  /** What the service wrote about the failure, or what else is known of it. */
  errorDetail: localizedTextSchema.optional(),
  /** Of a question. */
  attachments: attachmentsSchema.optional(),
  createdAt: z.number(),
  /** Its record does not open: this stands in its place and says nothing of it. What is on the disk is left as it is. */
  damaged: z.literal(true).optional(),
})
export type Message = z.infer<typeof messageSchema>

export const reasoningEfforts = ['low', 'medium', 'high'] as const

/** What is asked of the model beside the messages; what is absent is the service's choice. */
export const parametersSchema = z.object({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).max(10_000_000).optional(),
  /** Sent only to models whose listing names it. */
  reasoningEffort: z.enum(reasoningEfforts).optional(),
})
export type ChatParameters = z.infer<typeof parametersSchema>

export const systemPromptSchema = z.string().max(200_000)

export const conversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** A private conversation is never continued with a model that the service can read. */
  private: z.boolean(),
  model: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Of the branch that is shown; absent: the one written last. */
  leafId: z.string().optional(),
  pinned: z.boolean().optional(),
  /** One that is not there any more is none. */
  folderId: z.string().max(64).optional(),
  /** In memory alone, and gone with it. */
  temporary: z.boolean().optional(),
  systemPrompt: z.string().optional(),
  parameters: parametersSchema.optional(),
  /** Taken in from a file, which may say anything: never shown as sealed. */
  imported: z.boolean().optional(),
  /** As of a message; its messages may open. */
  damaged: z.literal(true).optional(),
})
export type Conversation = z.infer<typeof conversationSchema>
