import { z } from 'zod'
import { conversationSchema, messageSchema } from '../conversation.ts'

/**
 * The JSON format that Sotto exports and imports: docs/conversation-file.md. Unknown members are ignored. A
 * change that an older Sotto would misread gets another version.
 */
export const FILE_FORMAT = 'sotto-conversations'
export const FILE_VERSION = 1

export const fileHeadSchema = z.object({ format: z.literal(FILE_FORMAT), version: z.int().min(1) })

const fileMessageSchema = messageSchema.omit({ conversationId: true, jobId: true }).extend({
  parentId: z.string().nullable(),
  /** Created in the chat. `content` in base64 is absent if the image is unavailable or too large for the file. */
  images: z
    .array(z.object({ name: z.string(), type: z.string().optional(), content: z.string().optional() }))
    .optional(),
})
export type FileMessage = z.infer<typeof fileMessageSchema>

export const fileConversationSchema = conversationSchema
  .omit({ temporary: true, folderId: true, projectId: true })
  .extend({
    /** The name of the one that it is in. */
    folder: z.string().optional(),
    messages: z.array(fileMessageSchema),
  })
export type FileConversation = z.infer<typeof fileConversationSchema>

export const exportFormats = ['markdown', 'html', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A text in pieces. */
export const exportEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('progress'), done: z.int().min(0), of: z.int().min(0) }),
  /** Damaged records couldn't be read and aren't in the file. */
  z.object({
    type: z.literal('ended'),
    conversations: z.int().min(0),
    unreadable: z.int().min(0),
    unreadableFiles: z.int().min(0).optional(),
  }),
])
export type ExportEvent = z.infer<typeof exportEventSchema>
