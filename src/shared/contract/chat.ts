import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { MAX_ATTACHMENTS } from '../attachment-limits.ts'
import { webSearchSchema } from '../answer-parts.ts'
import {
  conversationSchema,
  messageSchema,
  parametersSchema,
  systemPromptSchema,
  textDirections,
} from '../conversation.ts'
import { MAX_PASSAGES } from '../passage-text.ts'
import { receiptSchema } from '../receipt.ts'
import { MOST_COUNTED } from '../token-estimate.ts'
import { toolStepSchema } from '../tool-call.ts'
import { call, idSchema, modelIdSchema, textSchema } from './call.ts'
import { failureSchema } from './failure.ts'
import { toolSourcesSchema } from './tools.ts'

const summaryEventSchema = z.discriminatedUnion('type', [
  /** About how many tokens the model has written so far, including its reasoning. */
  z.object({ type: z.literal('progress'), tokens: z.int().min(0) }),
  z.object({ type: z.literal('done'), conversation: conversationSchema }),
])
export type SummaryEvent = z.infer<typeof summaryEventSchema>

const chatEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('started'),
    conversation: conversationSchema,
    userMessage: messageSchema,
    answer: messageSchema,
  }),
  /** The current stage before the reply begins. */
  z.object({ type: z.literal('stage'), stage: z.enum(['proving', 'sealing', 'sending', 'waiting']) }),
  z.object({ type: z.literal('delta'), text: z.string().optional(), reasoning: z.string().optional() }),
  /** The model asks for a tool to be called. Nothing runs yet. */
  z.object({ type: z.literal('calling'), name: z.string() }),
  /** A call waits for a decision (`asked`), began, or ended. */
  z.object({ type: z.literal('step'), step: toolStepSchema }),
  /** The stored reply, with its privacy and receipt; `failure` if it didn't complete. */
  z.object({
    type: z.literal('ended'),
    answer: messageSchema,
    receipt: receiptSchema.optional(),
    failure: failureSchema.optional(),
  }),
])
export type ChatEvent = z.infer<typeof chatEventSchema>

/** How a conversation begins. */
const beginSchema = z.object({
  temporary: z.boolean().optional(),
  systemPrompt: systemPromptSchema.optional(),
  parameters: parametersSchema.optional(),
  direction: z.enum(textDirections).optional(),
  /** Its parameters apply unless others are given. */
  projectId: idSchema.optional(),
})
export type ConversationBeginning = z.infer<typeof beginSchema>

/** A question may have only files and no text. */
const askedSchema = z
  .object({
    conversationId: idSchema.optional(),
    parentId: idSchema.nullable().optional(),
    model: modelIdSchema,
    text: textSchema.or(z.literal('')),
    attachmentIds: z.array(idSchema).max(MAX_ATTACHMENTS).optional(),
    /** Passages of the project's documents, in the order of their numbers. Throws knowledge/passage-unknown. */
    passageIds: z.array(idSchema).max(MAX_PASSAGES).optional(),
    begin: beginSchema.optional(),
    consentId: idSchema.optional(),
    webSearch: webSearchSchema.optional(),
    comparing: z.literal(true).optional(),
    /** Replaces the tools that the chat may use. Absent: those that were chosen before. */
    tools: toolSourcesSchema.optional(),
  })
  .refine(({ text, attachmentIds = [] }) => text !== '' || attachmentIds.length > 0)

/** An image and its prompt, as a turn of a chat. */
const imageTurnSchema = z
  .object({
    /** Creates an image from a prompt. */
    jobId: idSchema,
    conversationId: idSchema.optional(),
    /** Another image for the same prompt. */
    questionId: idSchema.optional(),
    /** The message before the prompt; null for the beginning. Absent: the end of the visible branch. */
    parentId: idSchema.nullable().optional(),
    /** The model that replies in a chat that begins with this image. */
    model: modelIdSchema.optional(),
    begin: beginSchema.optional(),
  })
  .refine(({ conversationId, model }) => conversationId !== undefined || model !== undefined)

/** A part of a prompt. The window asks for each part when it changes, so that a draft is counted without its history. */
const promptPartSchema = z.union([
  /** A branch up to this message, with the chat's instructions. */
  z.strictObject({ conversationId: idSchema, leafId: idSchema }),
  /** One message, or the instructions of a new chat. */
  z.strictObject({ text: z.string().max(MOST_COUNTED) }),
  /** The files of a draft. */
  z.strictObject({ attachmentIds: z.array(idSchema).max(MAX_ATTACHMENTS) }),
])
export type PromptPart = z.infer<typeof promptPartSchema>

export const chatContract = {
  /**
   * Sends the branch that leads to `parentId`, and this text. null is the beginning; without `parentId` the
   * visible branch continues. Another text after the same message begins another branch. If the
   * conversation is private and the model isn't, each reply needs a consent: for `web-search` if it
   * searches the web, for `compare` when `comparing` models, otherwise for `continue`. The answer continues
   * if the window leaves the stream after `started`; `follow` reads it again, and `stop` ends it.
   */
  send: call.input(askedSchema).output(eventIterator(chatEventSchema)),
  /** Another answer to a question that was sent before. */
  regenerate: call
    .input(
      z.object({
        conversationId: idSchema,
        questionId: idSchema,
        model: modelIdSchema,
        consentId: idSchema.optional(),
        webSearch: webSearchSchema.optional(),
        comparing: z.literal(true).optional(),
      }),
    )
    .output(eventIterator(chatEventSchema)),
  /**
   * Continues a reply with tools that a crash, a stop or a failure ended, in the same message. It must be the last
   * one of its branch. A call that may have run isn't repeated, and one that waits is asked for again. Consents
   * as for `regenerate`. Throws tools/no-resume.
   */
  resume: call
    .input(z.object({ conversationId: idSchema, answerId: idSchema, consentId: idSchema.optional() }))
    .output(eventIterator(chatEventSchema)),
  /**
   * Shows the image of a job in a chat, after it was sent with its price and consent. No model receives it or its prompt.
   * Throws conversation/…, store/damaged, project/private-only, and studio/unknown for a job that creates no image
   * from a prompt, or whose prompt is from another private chat.
   */
  addImage: call
    .input(imageTurnSchema)
    .output(z.object({ conversation: conversationSchema, question: messageSchema, answer: messageSchema })),
  /** The events of an answer from its beginning. If the answer isn't in progress: only `ended`, as it's stored. */
  follow: call
    .input(z.object({ conversationId: idSchema, answerId: idSchema }))
    .output(eventIterator(chatEventSchema)),
  /** Stops an answer. Its readers get `ended`. */
  stop: call.input(z.object({ answerId: idSchema })).output(z.object({ stopped: z.boolean() })),
  /**
   * Replaces the messages up to this one by a summary that the model writes, in what is sent from now on. Costs a reply. A private chat
   * is only summarized by a private model: there is no consent to anything else. Nothing is saved if the caller stops reading before
   * `done`. Throws privacy/summary, service/….
   */
  summarize: call
    .input(z.object({ conversationId: idSchema, messageId: idSchema, model: modelIdSchema }))
    .output(eventIterator(summaryEventSchema)),
  /** Counts with the encoding o200k, and images by their size. Sends and saves nothing. Null if the part is too long to count. */
  countTokens: call.input(promptPartSchema).output(z.object({ tokens: z.int().min(0).nullable() })),
}
