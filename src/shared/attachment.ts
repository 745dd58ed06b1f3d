import { z } from 'zod'
import { MAX_ATTACHMENTS } from './attachment-limits.ts'

const attachmentKinds = ['image', 'text', 'pdf'] as const

/** What is said of a file beside its content. */
export const attachmentSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(255),
  kind: z.enum(attachmentKinds),
  /** The media type of the file that was attached. */
  type: z.string().max(100),
  /** What is kept and sent: of an image the file without its metadata, of all else the text in UTF-8. */
  bytes: z.int().min(0),
  /** An estimate, of a text. An image's is estimated from its size. */
  tokens: z.int().min(0).optional(),
  /** Of a PDF. */
  pages: z.int().min(1).optional(),
  /** Of an image, in pixels, as it is shown. */
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const attachmentsSchema = z.array(attachmentSchema).max(MAX_ATTACHMENTS)

/** What was written and attached, and not sent. */
export const draftSchema = z.object({
  /** The id of a conversation, or NEW_DRAFT. */
  conversationId: z.string().min(1).max(64),
  text: z.string(),
  attachments: attachmentsSchema,
  /** It belongs to a temporary conversation, or to a new one that is to be one. */
  temporary: z.boolean().optional(),
})
export type Draft = z.infer<typeof draftSchema>
