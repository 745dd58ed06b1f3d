import { z } from 'zod'
import { consentPreviewSchema, consentPurposeSchema } from '../consent.ts'
import { call, idSchema, modelIdSchema, textSchema } from './call.ts'

/** Of a private conversation, what is to be exposed: as the call that follows will say it. */
const subjectSchema = z.object({
  conversationId: idSchema,
  purpose: consentPurposeSchema,
  /** Those that the service can read and that are to have it: each once. None where the purpose names none. */
  models: z.array(modelIdSchema).max(4).default([]),
  /** What is about to be sent, or read aloud. */
  text: textSchema.or(z.literal('')).optional(),
  attachmentIds: z.array(idSchema).max(20).optional(),
  /** As of chat.send. */
  parentId: idSchema.nullable().optional(),
  /** As of chat.regenerate. */
  questionId: idSchema.optional(),
  /** The one message that is read aloud or sent on. */
  messageId: idSchema.optional(),
})
export type ConsentSubject = z.infer<typeof subjectSchema>

export const consentsContract = {
  /**
   * Shows what would be exposed. With the id, and while nothing of it changes, exactly that may leave once for each of the models
   * within five minutes.
   */
  preview: call.input(subjectSchema).output(consentPreviewSchema),
}
