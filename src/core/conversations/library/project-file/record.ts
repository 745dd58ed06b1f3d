import { z } from 'zod'
import { attachmentSchema } from '../../../../shared/attachment.ts'
import { conversationSchema, messageSchema } from '../../../../shared/conversation.ts'
import {
  knowledgeDocumentSchema,
  MOST_PROJECT_PASSAGES,
  passageSchema,
} from '../../../../shared/knowledge.ts'
import { PROJECT_FILE_FORMAT } from '../../../../shared/library/project-file-head.ts'
import { projectSchema } from '../../../../shared/project.ts'
import { MAX_MESSAGES } from '../import/imported.ts'

/** The content of a sealed file, authenticated with each of its lines. */
export const SEALED_FORMAT = 'sotto-project/1'
/** The first line of a plain file. */
export const plainHeadSchema = z.strictObject({
  format: z.literal(PROJECT_FILE_FORMAT),
  version: z.int().min(1),
})
export const PLAIN_VERSION = 1

/** Unix ms, within the limits of a date. */
const time = z.number().min(0).max(8_640_000_000_000_000)

/** The first record. Everything after it belongs to this project. */
const projectRecordSchema = z.strictObject({
  type: z.literal('project'),
  project: projectSchema
    .pick({ name: true, instructions: true, model: true, parameters: true, budget: true, privateOnly: true })
    .strict(),
})

const documentRecordSchema = z.strictObject({
  type: z.literal('document'),
  document: knowledgeDocumentSchema
    .omit({ projectId: true, passages: true })
    .extend({ createdAt: time })
    .strict(),
  passages: z
    .array(passageSchema.pick({ place: true, text: true, tokens: true }).strict())
    .min(1)
    .max(MOST_PROJECT_PASSAGES),
})

/** An attachment, before the first conversation that uses it. */
const fileRecordSchema = z.strictObject({
  type: z.literal('file'),
  attachment: attachmentSchema.pick({ id: true, name: true, type: true, pages: true }).strict(),
  content: z.base64(),
})

/** Receipts, folders and messages of the service about failures aren't in the file. */
const conversationRecordSchema = z.strictObject({
  type: z.literal('conversation'),
  conversation: conversationSchema
    .omit({
      id: true,
      temporary: true,
      folderId: true,
      projectId: true,
      imported: true,
      damaged: true,
    })
    .extend({ createdAt: time, updatedAt: time })
    .strict(),
  messages: z
    .array(
      messageSchema
        .omit({ conversationId: true, receiptId: true, errorDetail: true, damaged: true })
        .extend({ createdAt: time })
        .strict(),
    )
    .max(MAX_MESSAGES),
})
export type ConversationRecord = z.infer<typeof conversationRecordSchema>

/** The last record: how many there are before it. */
const endRecordSchema = z.strictObject({ type: z.literal('end'), records: z.int().min(1) })

/** One line of a project's file. An attacker may have written a file, so unknown members are refused. */
export const recordSchema = z.discriminatedUnion('type', [
  projectRecordSchema,
  documentRecordSchema,
  fileRecordSchema,
  conversationRecordSchema,
  endRecordSchema,
])
export type ProjectFileRecord = z.infer<typeof recordSchema>
