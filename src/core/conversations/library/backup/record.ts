import { z } from 'zod'
import { attachmentSchema } from '../../../../shared/attachment.ts'
import { conversationSchema, messageSchema } from '../../../../shared/conversation.ts'
import { folderSchema, promptSchema } from '../../../../shared/prompt.ts'
import { receiptSchema } from '../../../../shared/receipt.ts'

export const BACKUP_FORMAT = 'sotto-chats/1'

/** One line of a backup: a conversation as it is, with the receipts that its messages name. */
export const backupRecordSchema = z.object({
  conversation: conversationSchema.omit({ temporary: true }),
  messages: z.array(messageSchema),
  receipts: z.array(receiptSchema),
})
export type BackupRecord = z.infer<typeof backupRecordSchema>

/** A line of its own before the first conversation that has it: a file as it was taken in. */
export const backupFileSchema = z.object({ attachment: attachmentSchema, content: z.base64() })
export type BackupFile = z.infer<typeof backupFileSchema>

/** The last line: what does not belong to one conversation. An older Sotto reads nothing of it. */
export const backupRestSchema = z.object({
  folders: z.array(folderSchema).default([]),
  prompts: z.array(promptSchema).default([]),
})
export type BackupRest = z.infer<typeof backupRestSchema>
