import { z } from 'zod'
import { attachmentSchema } from '../../../../shared/attachment.ts'
import { conversationSchema, messageSchema } from '../../../../shared/conversation.ts'
import {
  knowledgeDocumentSchema,
  MOST_PROJECT_PASSAGES,
  passageSchema,
} from '../../../../shared/knowledge.ts'
import { projectSchema } from '../../../../shared/project.ts'
import { folderSchema, promptSchema } from '../../../../shared/prompt.ts'
import { receiptSchema } from '../../../../shared/receipt.ts'

export const BACKUP_FORMAT = 'sotto-chats/1'

/** Characters. No valid line is longer: it would be a conversation of more than 64 MiB. */
export const MAX_LINE = 100_000_000

/** One line of a backup: an unchanged conversation, with the receipts of its messages. */
export const backupRecordSchema = z.object({
  conversation: conversationSchema.omit({ temporary: true }),
  messages: z.array(messageSchema),
  receipts: z.array(receiptSchema),
})
export type BackupRecord = z.infer<typeof backupRecordSchema>

/** A separate line before the first conversation that uses the file: an attachment as it was stored. */
export const backupFileSchema = z.object({ attachment: attachmentSchema, content: z.base64() })
export type BackupFile = z.infer<typeof backupFileSchema>

/** A separate line for each document of a project, with its passages in their order. */
export const backupDocumentSchema = z.object({
  project: projectSchema.omit({ damaged: true }),
  document: knowledgeDocumentSchema,
  passages: z.array(passageSchema.pick({ place: true, text: true, tokens: true })).max(MOST_PROJECT_PASSAGES),
})
export type BackupDocument = z.infer<typeof backupDocumentSchema>

/** The last line: data that doesn't belong to one conversation. Older versions of Sotto ignore it. */
export const backupRestSchema = z.object({
  folders: z.array(folderSchema).default([]),
  prompts: z.array(promptSchema).default([]),
  projects: z.array(projectSchema.omit({ damaged: true })).default([]),
})
export type BackupRest = z.infer<typeof backupRestSchema>
