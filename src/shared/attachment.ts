import { z } from 'zod'
import { MAX_ATTACHMENTS } from './attachment-limits.ts'

const attachmentKinds = ['image', 'text', 'pdf'] as const

/** The metadata of a file. */
export const attachmentSchema = z.object({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(255),
  kind: z.enum(attachmentKinds),
  /** The media type of the file that was attached. */
  type: z.string().max(100),
  /**
   * The size of the stored content: an image without its metadata, or the text of any other file in UTF-8.
   */
  bytes: z.int().min(0),
  /** An estimate, of a text. An image's is estimated from its size. */
  tokens: z.int().min(0).optional(),
  /** For a PDF. */
  pages: z.int().min(1).optional(),
  /** For an image, in pixels as displayed. */
  width: z.int().min(1).optional(),
  height: z.int().min(1).optional(),
})
export type Attachment = z.infer<typeof attachmentSchema>

export const attachmentsSchema = z.array(attachmentSchema).max(MAX_ATTACHMENTS)

/** Unsent text and attachments. */
export const draftSchema = z.object({
  /** The id of a conversation, or NEW_DRAFT. */
  conversationId: z.string().min(1).max(64),
  text: z.string(),
  attachments: attachmentsSchema,
  /** It belongs to a temporary conversation, or to a new one that is to be one. */
  temporary: z.boolean().optional(),
})
export type Draft = z.infer<typeof draftSchema>
