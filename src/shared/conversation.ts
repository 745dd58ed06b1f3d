import { z } from 'zod'
import {
  answerEnds,
  citationsSchema,
  toolCallsSchema,
  unshownPartsSchema,
  webSearchSchema,
} from './answer-parts.ts'
import { attachmentsSchema } from './attachment.ts'
import { MAX_SUMMARY } from './context-cut.ts'
import { passagesSchema } from './knowledge.ts'
import { privacyWords } from './privacy.ts'
import { localizedTextSchema } from './localized-text-schema.ts'

export const messageStates = ['streaming', 'complete', 'interrupted', 'cancelled', 'failed'] as const

export const messageSchema = z.object({
  id: z.string(),
  conversationId: z.string(),
  /** The parent; null at the beginning. If absent, the message that was added before is the parent. */
  parentId: z.string().nullable().optional(),
  role: z.enum(['user', 'assistant', 'system']),
  text: z.string(),
  reasoning: z.string().optional(),
  state: z.enum(messageStates),
  /** For a reply. */
  citations: citationsSchema.optional(),
  toolCalls: toolCallsSchema.optional(),
  unshown: unshownPartsSchema.optional(),
  end: z.enum(answerEnds).optional(),
  /** For a question. */
  webSearch: webSearchSchema.optional(),
  model: z.string().optional(),
  privacy: z.enum(privacyWords).optional(),
  receiptId: z.string().optional(),
  errorCode: z.string().optional(),
  /** The service's message about the failure, or other known details. */
  errorDetail: localizedTextSchema.optional(),
  /** For a question. */
  attachments: attachmentsSchema.optional(),
  /** For a question: the passages of the project's documents that were sent before its text, as they were. */
  passages: passagesSchema.optional(),
  /** For a prompt and its image: the job that creates it. Neither is sent to a model. */
  jobId: z.string().max(64).optional(),
  createdAt: z.number(),
  /** A placeholder for a record that can't be decrypted. The record on the disk doesn't change. */
  damaged: z.literal(true).optional(),
})
export type Message = z.infer<typeof messageSchema>

export const reasoningEfforts = ['low', 'medium', 'high'] as const

/** Parameters for the model; the service chooses the absent ones. */
export const parametersSchema = z.object({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  maxTokens: z.int().min(1).max(10_000_000).optional(),
  /** Sent only to models whose listing names it. */
  reasoningEffort: z.enum(reasoningEfforts).optional(),
})
export type ChatParameters = z.infer<typeof parametersSchema>

export const systemPromptSchema = z.string().max(200_000)

/** Directions of a conversation's text. Without one, each paragraph has the direction of its first letter. */
export const textDirections = ['ltr', 'rtl'] as const
export type TextDirection = (typeof textDirections)[number]

export const conversationSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** A private conversation is never continued with a model that the service can read. */
  private: z.boolean(),
  model: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** The last message of the visible branch; absent: the newest message. */
  leafId: z.string().optional(),
  pinned: z.boolean().optional(),
  /** The id of a folder that no longer exists counts as none. */
  folderId: z.string().max(64).optional(),
  /** A project that no longer exists counts as private-only. */
  projectId: z.string().max(64).optional(),
  /** Only in memory, and never saved. */
  temporary: z.boolean().optional(),
  systemPrompt: z.string().optional(),
  parameters: parametersSchema.optional(),
  direction: z.enum(textDirections).optional(),
  /** The last message that isn't sent to a model, and the summary that is sent instead. */
  contextCut: z.object({ messageId: z.string(), summary: z.string().max(MAX_SUMMARY).optional() }).optional(),
  /** Imported from a file, which an attacker may have written: never shown as sealed. */
  imported: z.boolean().optional(),
  /** The record of the conversation can't be decrypted; its messages may be readable. */
  damaged: z.literal(true).optional(),
})
export type Conversation = z.infer<typeof conversationSchema>
