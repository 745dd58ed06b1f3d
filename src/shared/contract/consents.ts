import { z } from 'zod'
import { consentPreviewSchema, consentPurposeSchema } from '../consent.ts'
import { MAX_PASSAGES } from '../passage-text.ts'
import { call, idSchema, modelIdSchema, textSchema } from './call.ts'

/** The content of a private conversation that the next call would expose, in the form of that call. */
const subjectSchema = z.object({
  conversationId: idSchema,
  /** Of a conversation that hasn't begun. */
  projectId: idSchema.optional(),
  purpose: consentPurposeSchema,
  /**
   * The models that the service can read and that receive the content, each once. None if the purpose has
   * no model.
   */
  models: z.array(modelIdSchema).max(4).default([]),
  /** The text that is about to be sent or read aloud. */
  text: textSchema.or(z.literal('')).optional(),
  attachmentIds: z.array(idSchema).max(20).optional(),
  /** See chat.send. */
  passageIds: z.array(idSchema).max(MAX_PASSAGES).optional(),
  /** See chat.send. */
  parentId: idSchema.nullable().optional(),
  /** See chat.regenerate. */
  questionId: idSchema.optional(),
  /** The one message that is read aloud or sent on. */
  messageId: idSchema.optional(),
})
export type ConsentSubject = z.infer<typeof subjectSchema>

export const consentsContract = {
  /**
   * Shows the content that would be exposed. With the id, and as long as the content doesn't change,
   * exactly this content may be sent once to each of the models within five minutes. Throws project/private-only.
   */
  preview: call.input(subjectSchema).output(consentPreviewSchema),
}
